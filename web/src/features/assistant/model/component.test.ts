import { describe, expect, it } from "vitest";
import { extractComponent } from "./component";
import { complete, progress, talk, type Talk, token } from "./fixtures/talk";

const CODE = 'class Upper(Component):\n    display_name = "Upper"';
const FENCED = `Here it is:\n\n\`\`\`python\nfrom lfx import Component\n\n${CODE}\n\`\`\`\nEnjoy.`;

const written = (skipAll = false): Talk =>
  talk({ skipAll })
    .send("component")
    .hear(progress("generating_component"), complete({ validated: true, class_name: "Upper", component_code: CODE, validation_attempts: 2 }));

const gate = (chat: Talk): string | undefined => chat.answer("a1").component?.gate;

describe("a component", () => {
  it("waits behind a gate, which opens by itself after a while", () => {
    const chat = written();
    expect(chat.answer("a1").component).toEqual({
      className: "Upper",
      code: CODE,
      validated: true,
      error: null,
      attempts: 2,
      gate: "ready",
    });
    const [later] = chat.of("later");
    expect(later).toEqual({
      do: "later",
      ms: 30_000,
      action: { type: "component", message: "a1", do: "continue" },
    });
    expect(gate(chat.do({ type: "component", message: "a1", do: "continue" }))).toBe("shown");
    const { state } = chat;
    expect(chat.do({ type: "component", message: "a1", do: "continue" }).state).toBe(state);
  });

  it("is shown at once with skip-all", () => {
    expect(gate(written(true))).toBe("shown");
    expect(written(true).of("later")).toEqual([]);
  });

  it("says for three seconds that it was added", () => {
    const chat = written().do({ type: "component", message: "a1", do: "added" });
    expect(gate(chat)).toBe("added");
    expect(chat.of("later")).toMatchObject([{ ms: 3000, action: { do: "settle" } }]);
    expect(gate(chat.do({ type: "component", message: "a1", do: "continue" }))).toBe("added");
    expect(chat.do({ type: "component", message: "a1", do: "added" }).effects).toEqual([]);
    expect(gate(chat.do({ type: "component", message: "a1", do: "settle" }))).toBe("shown");
    const { state } = chat;
    expect(chat.do({ type: "component", message: "a1", do: "settle" }).state).toBe(state);
  });

  it("that could not be written says so and cannot be added", () => {
    const chat = talk().send("component");
    chat.hear(
      progress("validation_failed", { component_code: "class Bad", class_name: "Bad" }),
      complete({ validated: false, validation_error: "no such name", validation_attempts: 3 }),
    );
    expect(chat.answer("a1").component).toEqual({
      className: "Bad",
      code: "class Bad",
      validated: false,
      error: "no such name",
      attempts: 3,
      gate: "shown",
    });
    expect(chat.of("later")).toEqual([]);
    const { state } = chat;
    expect(chat.do({ type: "component", message: "a1", do: "added" }).state).toBe(state);
  });

  it("is found in the answer where the server did not say", () => {
    for (const step of ["generating_component", "extracting_code", "validating", "validated"] as const) {
      const chat = talk().send("component").hear(progress(step), complete({ result: FENCED }));
      expect(chat.answer("a1").component, step).toMatchObject({ className: "Upper", validated: true, gate: "ready" });
      expect(chat.answer("a1").component?.code).toContain(CODE);
    }
    const streamed = talk().send("component");
    streamed.hear(progress("validating"), progress("generating"), token(FENCED), complete({ result: "" }));
    expect(streamed.answer("a1").component?.className).toBe("Upper");
  });

  it("is not made of the example in an answer to a question", () => {
    const chat = talk().send("how do I write one?").hear(progress("generating"), complete({ result: FENCED }));
    expect(chat.answer("a1").component).toBeNull();
    const said = talk().send("component").hear(progress("validating"), complete({ result: "I cannot." }));
    expect(said.answer("a1").component).toBeNull();
    const empty = talk().send("component").hear(complete({ validated: true, result: "It is there." }));
    expect(empty.answer("a1").component).toBeNull();
  });
});

it.each([
  ["plain", "```\nclass A(Component):\n  pass\n```", "A"],
  ["py", "```py\nclass A(LCToolComponent, Component):\n  pass\n```", "A"],
  ["tildes", "~~~python\nclass A(Component):\n  pass\n~~~", "A"],
  ["indented", "1. Use\n   ```python\nclass A(Component):\n  pass\n   ```", "A"],
  ["windows", "```python\r\nclass A(Component):\r\n  pass\r\n```", "A"],
  ["the second block", "```python\nx = 1\n```\n\n```python\nclass B(Component):\n  pass\n```", "B"],
  ["another base", "```python\nclass A(Base):\n  pass\n```", null],
  ["a name that only ends so", "```python\nclass A(MyComponents):\n  pass\n```", null],
  ["no block", "class A(Component):\n  pass", null],
  ["a block without end", "```python\nclass A(Component):\n  pass", null],
  ["another language", "```js\nclass A(Component):\n```", null],
  ["nothing", "", null],
])("finds a class in a block of Python: %s", (_name, content, className) => {
  expect(extractComponent(content)?.className ?? null).toBe(className);
});

it("is quick with an answer full of fences", () => {
  const start = performance.now();
  expect(extractComponent("```python\n".repeat(20_000))).toBeNull();
  expect(extractComponent(`\`\`\`python\nclass A(${"a".repeat(100_000)}\n\`\`\``)).toBeNull();
  expect(performance.now() - start).toBeLessThan(2000);
});
