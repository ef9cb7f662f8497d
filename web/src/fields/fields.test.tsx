import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createStore, useStore } from "zustand";
import { queryClient } from "@/api/queryClient";
import { rowShape } from "@/flow/card";
import { readFields } from "@/flow/fields";
import type { JsonRecord } from "@/flow/json";
import { FieldControl } from "./FieldControl";

interface Shown {
  entry: () => JsonRecord;
  /** As an undo elsewhere would. */
  set: (entry: JsonRecord) => void;
  left: ReturnType<typeof vi.fn>;
  refreshed: ReturnType<typeof vi.fn>;
  connected: ReturnType<typeof vi.fn>;
}

// Parts that come when they are first opened: a busy machine must not decide whether they are there in time.
beforeAll(() =>
  Promise.all([import("@/ui/DialogPopup"), import("./PopupPanel"), import("./TableDialog")]).then(() => undefined),
);

/** One field, kept as the editor keeps it. */
function show(
  raw: JsonRecord,
  { place = "panel", readOnly = false }: { place?: "card" | "panel"; readOnly?: boolean } = {},
): Shown {
  const spies = { left: vi.fn(), refreshed: vi.fn(), connected: vi.fn() };
  const kept = createStore<{ entry: JsonRecord }>(() => ({ entry: raw }));
  const change = (part: JsonRecord): void => kept.setState(({ entry }) => ({ entry: { ...entry, ...part } }));
  function Kept() {
    const { entry } = useStore(kept);
    const [field] = readFields({ template: { thing: { name: "thing", type: "str", ...entry } } });
    if (!field) return null;
    return (
      <FieldControl
        flowId={null}
        nodeId="Node-1"
        component="Node"
        field={field}
        raw={entry}
        place={place}
        shape={rowShape(field, false)}
        label="Thing"
        readOnly={readOnly}
        busy={false}
        onChange={(value, beside) => change({ value, load_from_db: false, ...beside })}
        onVariable={(name) => change({ value: name, load_from_db: true })}
        onConnectionMode={spies.connected}
        onRefresh={spies.refreshed}
        onLeave={spies.left}
      />
    );
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Kept />
    </QueryClientProvider>,
  );
  return { ...spies, entry: () => kept.getState().entry, set: (part) => act(() => change(part)) };
}

const box = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Thing" });

describe("a text", () => {
  it("is handed on with every letter, and the caret stays where it is", async () => {
    const shown = show({ value: "world" });
    await userEvent.type(box(), "hello ", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(shown.entry().value).toBe("hello world");
    expect(box().selectionStart).toBe(6);
    expect(shown.left).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(shown.left).toHaveBeenCalled();
  });

  it("takes over what changed elsewhere, even while it has the focus", async () => {
    const shown = show({ value: "one" });
    await userEvent.type(box(), "!");
    shown.set({ value: "one" });
    expect(box()).toHaveValue("one");
  });

  it("of five million letters is never put into an input", () => {
    show({ value: "x".repeat(5_000_000) }, { place: "card" });
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.getByRole("button", { name: /Open the editor for Thing/ }).textContent?.length).toBeLessThan(400);
  });

  it("keeps its line breaks: they are edited in the editor", async () => {
    const shown = show({ value: "one\ntwo" });
    await userEvent.click(screen.getByRole("button", { name: /Open the editor/ }));
    await userEvent.type(await within(await screen.findByRole("dialog")).findByRole("textbox"), "!");
    expect(shown.entry().value).toBe("one\ntwo!");
  });

  it("that is no text at all is shown as JSON and not lost", () => {
    show({ type: "str", value: { odd: true } });
    expect(screen.getByRole("button", { name: /Thing/ })).toHaveTextContent("1 entry");
  });

  it("cannot be changed when the flow is locked", async () => {
    const shown = show({ value: "kept" }, { readOnly: true });
    await userEvent.type(box(), "x");
    expect(shown.entry().value).toBe("kept");
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("a number", () => {
  const number = () => screen.getByRole("spinbutton", { name: "Thing" });

  it("that is none is explained, kept on the page and not handed on", async () => {
    const shown = show({ type: "int", value: 3, range_spec: { min: 0, max: 9 } });
    await userEvent.clear(number());
    await userEvent.type(number(), "12");
    expect(screen.getByText("This must be 9 or less.")).toBeInTheDocument();
    expect(shown.entry().value).toBe(1);
    await userEvent.tab();
    expect(number()).toHaveValue("12");
    expect(number()).toHaveAttribute("aria-invalid", "true");
  });

  it("is stepped by the arrows and not by the wheel", async () => {
    const shown = show({ type: "float", value: 0.2 });
    await userEvent.type(number(), "{ArrowUp}");
    expect(shown.entry().value).toBe(0.3);
    expect(number()).toHaveAttribute("type", "text");
  });

  it("keeps the dot that is being typed", async () => {
    const shown = show({ type: "float", value: "" });
    await userEvent.type(number(), "1.");
    expect(number()).toHaveValue("1.");
    await userEvent.type(number(), "5");
    expect(shown.entry().value).toBe(1.5);
  });
});

describe("a secret", () => {
  it("that is stored never reaches the page; what is typed replaces it", async () => {
    const shown = show({ password: true, value: "sk-stored", load_from_db: false });
    expect(document.body.innerHTML).not.toContain("sk-stored");
    await userEvent.type(screen.getByLabelText("Thing"), "new");
    expect(shown.entry().value).toBe("new");
    await userEvent.click(screen.getByRole("button", { name: "Show" }));
    expect(screen.getByLabelText("Thing")).toHaveAttribute("type", "text");
    await userEvent.click(document.body);
    expect(screen.getByLabelText("Thing")).toHaveValue("");
    expect(shown.entry().value).toBe("new");
  });

  it("from a variable can be given a value of its own again", async () => {
    const shown = show({ password: true, value: "MY_KEY", load_from_db: true });
    expect(screen.getByText("MY_KEY")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: /Use a value/ }));
    expect(shown.entry()).toMatchObject({ value: "", load_from_db: false });
  });
});

describe("choices", () => {
  it("are picked with the keyboard", async () => {
    const shown = show({ options: ["GET", "POST", "PUT"], value: "GET" }, { place: "card" });
    await userEvent.click(screen.getByRole("button", { name: /Thing/ }));
    const list = await screen.findByRole("listbox");
    act(() => list.focus());
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(shown.entry().value).toBe("PUT");
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  it("may be a text of one's own where the field says so", async () => {
    const shown = show({ options: ["a"], combobox: true, value: "" });
    await userEvent.click(screen.getByRole("button", { name: /Thing/ }));
    await userEvent.type(await screen.findByRole("combobox"), "mine{Enter}");
    expect(shown.entry().value).toBe("mine");
  });

  it("that are lost can still be taken away from several", async () => {
    const shown = show({ list: true, options: ["a", "b"], value: ["gone", "a"] });
    await userEvent.click(screen.getByRole("button", { name: /^Thing/ }));
    await userEvent.click(await screen.findByRole("option", { name: /gone/ }));
    expect(shown.entry().value).toEqual(["a"]);
  });

  it("side by side answer to the arrows", async () => {
    const shown = show({ type: "tab", options: ["Web", "News"], value: "Web" });
    screen.getByRole("radio", { name: "Web" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(shown.entry().value).toBe("News");
    expect(screen.getByRole("radio", { name: "News" })).toHaveFocus();
  });
});

describe("several values", () => {
  it("are added, moved and taken away", async () => {
    const shown = show({ list: true, value: ["a", "b"] });
    await userEvent.click(screen.getByRole("button", { name: "Move b up" }));
    expect(shown.entry().value).toEqual(["b", "a"]);
    await userEvent.click(screen.getByRole("button", { name: "Remove a" }));
    await userEvent.click(screen.getByRole("button", { name: "Add Thing" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Thing, item 2" }), "c");
    expect(shown.entry().value).toEqual(["b", "c"]);
  });

  it("come from several pasted lines", async () => {
    const shown = show({ list: true, value: [] }, { place: "card" });
    await userEvent.click(box());
    await userEvent.paste("one\ntwo");
    expect(shown.entry().value).toEqual(["one", "two"]);
  });

  it("with keys explain a key that is there twice and keep what was typed", async () => {
    const shown = show({ type: "dict", value: { a: "1" } });
    await userEvent.click(screen.getByRole("button", { name: "Add an entry Thing" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Thing, key 2" }), "a");
    await userEvent.type(screen.getByRole("textbox", { name: "Thing, value 2" }), "2");
    expect(screen.getAllByText(/is there twice/)).toHaveLength(2);
    expect(shown.entry().value).toEqual({ a: "1" });
    await userEvent.type(screen.getByRole("textbox", { name: "Thing, key 2" }), "b");
    expect(shown.entry().value).toEqual({ a: "1", ab: "2" });
  });
});

describe("a prompt", () => {
  it("asks for the node's new inputs when it is left, not while it is typed", async () => {
    const shown = show({ type: "prompt", value: "Hi" });
    await userEvent.type(box(), " {{name}");
    expect(shown.entry().value).toBe("Hi {name}");
    expect(shown.refreshed).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(shown.refreshed).toHaveBeenCalledOnce();
  });
});

describe("a table", () => {
  const schema = [{ name: "key" }, { name: "count", type: "int" }];

  it("takes cells from a spreadsheet, and rows by keyboard", async () => {
    const shown = show({ type: "table", value: [{ key: "a", count: 1 }], table_schema: schema });
    await userEvent.click(screen.getByRole("button", { name: /Thing/ }));
    const dialog = await screen.findByRole("dialog");
    await userEvent.click(await within(dialog).findByRole("textbox", { name: "key, row 1" }));
    await userEvent.paste("x\t7\ny\t8");
    expect(shown.entry().value).toEqual([{ key: "x", count: 7 }, { key: "y", count: 8 }]);
    await userEvent.click(within(dialog).getByRole("textbox", { name: "key, row 2" }));
    await userEvent.keyboard("{Enter}");
    expect(shown.entry().value).toHaveLength(3);
    await userEvent.click(within(dialog).getByRole("button", { name: "Delete row 1" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Duplicate row 1" }));
    expect(shown.entry().value).toEqual([{ key: "y", count: 8 }, { key: "y", count: 8 }, { key: "", count: "" }]);
  });
});

describe("a model", () => {
  it("that comes by wire can be chosen here again", async () => {
    const shown = show({ type: "model", input_types: ["LanguageModel"], value: [], _connection_mode: true });
    await userEvent.click(screen.getByRole("button", { name: /Choose/ }));
    expect(shown.connected).toHaveBeenCalledWith(false);
  });
});
