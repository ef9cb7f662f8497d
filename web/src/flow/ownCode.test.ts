import { describe, expect, it } from "vitest";
import { rangeOf, readCheck, refusedCode } from "./codeProblems";
import { lineIn, nodeCode } from "./nodeCode";
import { componentClasses, pastedComponent, runsOwnCode } from "./ownCode";
import { readRegistry } from "./edit/registry";
import { chat, component } from "./fixtures/build";
import { parseFlow } from "./parse";

const SOURCE = `from lfx.custom import Component


class Shout(Component):
    display_name = "Shout"
`;

describe("pasted code", () => {
  it("is a component when it has a class that derives from one", () => {
    expect(pastedComponent(SOURCE)).toBe(SOURCE);
    expect(pastedComponent("class A(lfx.custom.Component, Mixin):\n    pass")).not.toBeNull();
    expect(pastedComponent("class A(\n    LCToolComponent,\n):\n    pass")).not.toBeNull();
    expect(pastedComponent("class Größe(Component):\n    pass")).not.toBeNull();
  });

  it("is not, when it only speaks of one", () => {
    expect(pastedComponent("class A(Base):\n    pass")).toBeNull();
    expect(pastedComponent("print('class A(Component):')")).toBeNull();
    expect(pastedComponent(JSON.stringify({ value: SOURCE }))).toBeNull();
    expect(pastedComponent(`[\n"\nclass A(Component):\n"\n]`)).toBeNull();
    expect(pastedComponent("")).toBeNull();
  });

  it("comes out of a code fence, its indentation and Windows' line ends", () => {
    const told = `Here it is:\n\n\`\`\`python\n${SOURCE}\`\`\`\nHave fun.`;
    expect(pastedComponent(told)).toBe(SOURCE.trimEnd());
    const indented = SOURCE.split("\n").map((line) => (line === "" ? "" : `    ${line}`)).join("\r\n");
    expect(pastedComponent(indented)).toBe(SOURCE);
  });

  it("is looked through quickly even when brackets are never closed", () => {
    const started = performance.now();
    expect(pastedComponent("class A(\n".repeat(30_000))).toBeNull();
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

it("names the classes that look like components, in order", () => {
  expect(componentClasses(`${SOURCE}\nclass Helper:\n    pass\nclass Two(Component):\n    pass\n`)).toEqual(["Shout", "Two"]);
});

it("finds the line that a message speaks of", () => {
  expect(lineIn("ZeroDivisionError: division by zero (line 12)")).toBe(12);
  expect(lineIn("Line 3: no such name")).toBe(3);
  expect(lineIn("the deadline 5 passed")).toBeNull();
  expect(lineIn("line 0")).toBeNull();
  expect(lineIn("no line at all")).toBeNull();
});

describe("a check", () => {
  it("lists problems from the top, with warnings told apart", () => {
    const check = readCheck({
      class_name: "Shout",
      diagnostics: [
        { severity: "warning", code: "w", message: "later", line: 9, column: 1, end_line: 9, end_column: 4 },
        { severity: "error", code: "e", message: "first", line: 2, column: 5, end_line: 2, end_column: 5 },
        { severity: "error", message: "" },
        "nonsense",
      ],
    });
    expect(check.className).toBe("Shout");
    expect(check.problems.map(({ severity, message, line }) => [severity, message, line])).toEqual([
      ["error", "first", 2],
      ["warning", "later", 9],
    ]);
  });

  it("is read from Langflow's own lists where there is nothing better", () => {
    const check = readCheck({ imports: { errors: ["No module named x"] }, function: { errors: ["bad syntax (line 4)"] } });
    expect(check.className).toBeNull();
    expect(check.problems.map(({ message, line }) => [message, line])).toEqual([
      ["No module named x", null],
      ["bad syntax (line 4)", 4],
    ]);
  });

  it("is empty for an answer that is none", () => {
    expect(readCheck(null)).toEqual({ className: null, problems: [] });
  });
});

it("reads why code was refused: from the list, else from the line in the sentence, else not at all", () => {
  const listed = refusedCode({ diagnostics: [{ message: "boom", line: 3 }] }, "boom (line 3)");
  expect(listed.map(({ message, line }) => [message, line])).toEqual([["boom", 3]]);
  expect(refusedCode({}, "ValueError: boom (line 7)")[0]?.line).toBe(7);
  expect(refusedCode({}, "Python cannot run here.")).toEqual([]);
});

describe("a problem in the text", () => {
  const text = "x = 1\n    😀 = oops\n\nend";
  const parts = text.split("\n");
  const lines = {
    lines: parts.length,
    line: (number: number) => {
      const from = parts.slice(0, number - 1).reduce((sum, part) => sum + part.length + 1, 0);
      const part = parts[number - 1] ?? "";
      return { from, to: from + part.length, text: part };
    },
  };
  const marked = (line: number | null, column: number | null, endLine: number | null = null, endColumn: number | null = null) => {
    const { from, to } = rangeOf(lines, { severity: "error", message: "", line, column, endLine, endColumn });
    return text.slice(from, to);
  };

  it("covers what it names, counting characters and not their halves", () => {
    expect(marked(2, 9, 2, 13)).toBe("oops");
    expect(marked(1, 1, 2, 6)).toBe("x = 1\n    😀");
  });

  it("covers a word where it has no length, and a line where it has no column", () => {
    expect(marked(2, 9, 2, 9)).toBe("oops");
    expect(marked(1, 3)).toBe("=");
    expect(marked(2, null)).toBe("😀 = oops");
    expect(marked(1, 99)).toBe("1");
  });

  it("stays inside the text, wherever it claims to be", () => {
    expect(marked(99, 1, 120, 4)).toBe("end");
    expect(marked(null, null)).toBe("x = 1");
    expect(marked(3, 1)).toBe("");
    expect(marked(4, 2, 1, 1)).toBe("nd");
  });
});

describe("a node", () => {
  const node = (id: string, init: Parameters<typeof component>[1] = {}) => {
    const [read] = parseFlow({ nodes: [component(id, init)], edges: [] }).nodes;
    if (!read) throw new Error("no node");
    return read;
  };
  const code = { code: { name: "code", type: "code", value: SOURCE } };
  const registry = readRegistry({
    input_output: { ChatInput: { display_name: "Chat Input", template: {} } },
    custom_component: { Mine: { display_name: "Mine", template: code } },
  });

  it("runs its own code when it was edited, written here, or is of no known type", () => {
    expect(runsOwnCode(node("ChatInput-1", { template: code, edited: true }), registry)).toBe(true);
    expect(runsOwnCode(node("Mine-1", { template: code }), registry)).toBe(true);
    expect(runsOwnCode(node("Other-1", { template: code }), registry)).toBe(true);
  });

  it("does not when it is built in, has no code, or nothing is known yet", () => {
    expect(runsOwnCode(node("ChatInput-1", { template: code }), registry)).toBe(false);
    expect(runsOwnCode(node("Other-1"), registry)).toBe(false);
    expect(runsOwnCode(node("Other-1", { template: code }), readRegistry({}))).toBe(false);
  });

  it("has code to open only where there is a field for it", () => {
    expect(nodeCode(node("Mine-1", { template: code }).raw)).toBe(SOURCE);
    expect(parseFlow(chat()).nodes.map(({ raw }) => nodeCode(raw))).toEqual([null, null, null, null]);
  });
});
