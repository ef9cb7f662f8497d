import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerText } from "./answer";
import { diffRows } from "./diffRows";
import { answer, edit } from "./fixtures";
import { fileName } from "./saveText";
import { showAnswer } from "./support";
import { valueText } from "./valueText";

describe("a value", () => {
  const shows = (value: unknown) => expect(valueText(value, { yes: "Yes", no: "No" }));
  const model = { name: "gpt-5.4", provider: "OpenAI", metadata: { context_length: 1 } };

  it("is written as a person would", () => {
    shows("two\nlines").toBe("two\nlines");
    shows("two\r\nlines").toBe("two\nlines");
    shows(0.2).toBe("0.2");
    shows(true).toBe("Yes");
    shows(false).toBe("No");
    shows(null).toBe("");
    shows(undefined).toBe("");
    shows({}).toBe("");
    shows(["a", 1, true]).toBe("a\n1\nYes");
    shows("********").toBe("********");
  });

  it("that is a model goes by its name, however it was written", () => {
    shows([model]).toBe("gpt-5.4 (OpenAI)");
    shows(model).toBe("gpt-5.4 (OpenAI)");
    shows(JSON.stringify([model])).toBe("gpt-5.4 (OpenAI)");
    shows([{ ...model, name: JSON.stringify([model]) }]).toBe("gpt-5.4 (OpenAI)");
  });

  it("with parts of its own is indented", () => {
    shows({ a: { b: 1 } }).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    shows([{ a: 1 }, { a: 2 }]).toBe('[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]');
    shows("{not json").toBe("{not json");
  });
});

describe("a difference", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

  it("shows changes with a little around them and counts the rest", () => {
    const before = lines(40);
    const { rows, cut } = diffRows(before.join("\n"), before.with(20, "other").join("\n"), false);
    expect(rows.map((row) => (row.kind === "gap" ? row.count : `${row.kind} ${row.text}`))).toEqual([
      18,
      "same line 18",
      "same line 19",
      "removed line 20",
      "added other",
      "same line 21",
      "same line 22",
      17,
    ]);
    expect(cut).toBe(true);
    expect(diffRows(before.join("\n"), before.with(20, "other").join("\n"), true).rows).toHaveLength(41);
  });

  it("is whole where it is short, and cut where it is long", () => {
    expect(diffRows("a", "b", false)).toEqual({
      rows: [
        { kind: "removed", text: "a" },
        { kind: "added", text: "b" },
      ],
      cut: false,
    });
    const long = diffRows("", "x".repeat(5000), false);
    expect(long.cut).toBe(true);
    expect(long.rows[0]).toEqual({ kind: "added", text: `${"x".repeat(400)}…` });
    expect(diffRows("", lines(100).join("\n"), false).rows).toHaveLength(14);
    expect(diffRows("", lines(9000).join("\n"), true).rows).toHaveLength(5000);
  });

  it("is read out with what was and what is to be, and shown whole when asked for", async () => {
    const after = lines(30).join("\n");
    const { user } = showAnswer({ edits: [edit({ oldValue: "", newValue: after })] });
    const diff = screen.getByRole("group", { name: "Old and new value of System prompt" });
    expect(diff).toHaveTextContent("Before: (empty)");
    expect(diff).toHaveTextContent("After: line 0");
    expect(diff).not.toHaveTextContent("line 29");
    await user.click(screen.getByRole("button", { name: "Show more" }));
    expect(diff).toHaveTextContent("line 29");
    await user.click(screen.getByRole("button", { name: "Show less" }));
    expect(diff).not.toHaveTextContent("line 29");
  });

  it("never runs what is in a value and keeps what is masked masked", () => {
    showAnswer({ edits: [edit({ oldValue: "********", newValue: "<img src=x onerror=alert(1)>" })] });
    const diff = screen.getByRole("group", { name: /Old and new value/ });
    expect(within(diff).getByText("********")).toBeInTheDocument();
    expect(within(diff).getByText("<img src=x onerror=alert(1)>")).toBeInTheDocument();
    expect(diff.querySelector("img")).toBeNull();
  });
});

describe("the text of an answer", () => {
  const component = { className: "A", code: "class A: pass", validated: true, error: null, attempts: 1, gate: "shown" } as const;

  it("leaves out only the code its card has", () => {
    const content = "Before.\n\n```python\nclass A: pass\n```\n\n```bash\nrun it\n```";
    expect(answerText(answer({ content, component }))).toBe("Before.\n\n```bash\nrun it\n```");
    expect(answerText(answer({ content }))).toBe(content);
  });

  it("does not hang on fences without end", () => {
    const content = "```\n".repeat(20_000);
    expect(answerText(answer({ content, component })).length).toBeLessThanOrEqual(content.length);
  });
});

it("names of files keep no folders and nothing a file system refuses", () => {
  expect(fileName("docs/FLOW.md")).toBe("FLOW.md");
  expect(fileName("../../a:b?.txt")).toBe("a_b_.txt");
  expect(fileName("x\u0000y.md")).toBe("x_y.md");
  expect(fileName("/")).toBe("file.txt");
});
