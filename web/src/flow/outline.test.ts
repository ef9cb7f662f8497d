import { describe, expect, it } from "vitest";
import { approval, chat } from "./fixtures/build";
import { outline, readingOrder } from "./outline";
import { parseFlow } from "./parse";
import { searchFlow } from "./search";
import { step } from "./walk";

describe("outline", () => {
  it("lists what feeds a node before it, notes apart", () => {
    const { steps, notes } = outline(parseFlow(chat()));
    expect(steps.map((entry) => entry.node.title)).toEqual(["Chat Input", "Language Model", "Chat Output"]);
    expect(notes).toHaveLength(1);
    expect(steps[1]?.inputs).toMatchObject([
      { nodeTitle: "Chat Input", port: "Input", otherPort: "message" },
    ]);
    expect(steps[1]?.outputs).toMatchObject([{ nodeTitle: "Chat Output" }]);
  });

  it("reads a cycle from its leftmost node", () => {
    expect(readingOrder(parseFlow(approval())).map((node) => node.id)).toEqual([
      "start",
      "writer",
      "check",
      "again",
      "ask",
      "end",
    ]);
  });

  it("does not depend on the order of the document", () => {
    const document = chat() as { nodes: unknown[]; edges: unknown[] };
    const reversed = { nodes: document.nodes.toReversed(), edges: document.edges.toReversed() };
    expect(readingOrder(parseFlow(reversed)).map((node) => node.id)).toEqual([
      "ChatInput-1",
      "Model-1",
      "ChatOutput-1",
    ]);
  });
});

describe("step", () => {
  const flow = parseFlow(chat());
  it("follows wires left and right", () => {
    expect(step(flow, "ChatInput-1", "right")).toBe("Model-1");
    expect(step(flow, "Model-1", "left")).toBe("ChatInput-1");
    expect(step(flow, "ChatInput-1", "left")).toBeNull();
  });
  it("goes to the nearest node up and down", () => {
    expect(step(flow, "ChatInput-1", "up")).toBe("note-1");
    expect(step(flow, "nobody", "up")).toBeNull();
  });
});

describe("searchFlow", () => {
  const flow = parseFlow(chat());
  const ids = (query: string): string[] => searchFlow(flow, query).map((match) => match.node.id);

  it("finds by title first, then type, note and field values", () => {
    expect(ids("chat")).toEqual(["ChatInput-1", "ChatOutput-1"]);
    expect(ids("read me")).toEqual(["note-1"]);
    expect(searchFlow(flow, "brief")[0]).toMatchObject({ where: "field", label: "System message" });
  });
  it("needs every word and never looks into secrets", () => {
    expect(ids("chat nothing")).toEqual([]);
    expect(ids("sk-live")).toEqual([]);
    expect(ids("  ")).toEqual([]);
  });
});
