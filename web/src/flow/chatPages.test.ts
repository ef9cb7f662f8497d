import { describe, expect, it } from "vitest";
import { isEmptiedElsewhere, type Loaded, pageSize, withEarlier, withNewest } from "./chatPages";

interface Note {
  id: string;
  timestamp: string;
  text: string;
}

const note = (n: number, text = ""): Note => ({ id: `m${n}`, timestamp: String(n).padStart(6, "0"), text });
/** Numbers `from` down to `to`, as the server sends a page. */
const page = (from: number, to: number): Note[] =>
  Array.from({ length: from - to + 1 }, (_, index) => note(from - index));
const span = (loaded: Loaded<Note> | null): string =>
  loaded ? `${loaded.messages[0]?.id}-${loaded.messages.at(-1)?.id} ${loaded.messages.length} ${loaded.more}` : "-";

const end = 3 * pageSize;

describe("a long conversation", () => {
  it("is loaded from its end", () => {
    expect(span(withNewest(undefined, page(end, end - pageSize + 1)))).toBe(
      `m${end - pageSize + 1}-m${end} ${pageSize} true`,
    );
    expect(span(withNewest(undefined, page(3, 1)))).toBe("m1-m3 3 false");
  });

  it("goes on backwards until there is no more", () => {
    const newest = withNewest(undefined, page(end, 2 * pageSize + 1));
    const more = withEarlier(newest, page(2 * pageSize + 1, pageSize + 2));
    expect(span(more)).toBe(`m${pageSize + 2}-m${end} ${2 * pageSize - 1} true`);
    expect(span(withEarlier(more as Loaded<Note>, page(pageSize + 2, 4)))).toBe(`m4-m${end} ${end - 3} false`);
  });

  it("does not leave a hole when messages were deleted meanwhile", () => {
    const newest = withNewest(undefined, page(end, 2 * pageSize + 1));
    expect(withEarlier(newest, page(2 * pageSize - 5, pageSize))).toBeNull();
  });

  it("keeps what is further back when the newest are fetched again", () => {
    const long = withEarlier(withNewest(undefined, page(end, 2 * pageSize + 1)), page(2 * pageSize + 1, 1)) as Loaded<Note>;
    expect(span(withNewest(long, page(end + 2, 2 * pageSize + 3)))).toBe(`m1-m${end + 2} ${end + 2} true`);
    const far = end + 10 * pageSize;
    expect(span(withNewest(long, page(far, far - pageSize + 1)))).toBe(`m${far - pageSize + 1}-m${far} ${pageSize} true`);
    expect(span(withNewest(long, page(2, 1)))).toBe("m1-m2 2 false");
  });

  it("gives the same object for what did not change", () => {
    const before = withNewest(undefined, page(3, 1));
    const after = withNewest(before, [note(3, "other"), note(2), note(1)]);
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after.messages[2]?.text).toBe("other");
  });

  it("is known to be emptied elsewhere when nothing of it is left", () => {
    const before = withNewest(undefined, page(3, 1));
    expect(isEmptiedElsewhere(before, [])).toBe(true);
    expect(isEmptiedElsewhere(before, [note(9)])).toBe(true);
    expect(isEmptiedElsewhere(before, [note(9), note(3)])).toBe(false);
    expect(isEmptiedElsewhere(undefined, [])).toBe(false);
    expect(isEmptiedElsewhere({ messages: [], more: false }, [])).toBe(false);
    expect(isEmptiedElsewhere(before, page(pageSize + 9, 10))).toBe(false);
  });
});
