import { describe, expect, it } from "vitest";
import { boundsOf } from "./bounds";
import { CARD, flowLayouts } from "./card";
import { compareFlows } from "./diff";
import { approval, chat, component, field, output } from "./fixtures/build";
import { parseFlow } from "./parse";
import { redact } from "./secrets";

describe("cardLayout", () => {
  it("puts input ports on the left edge, outputs on the right, inside the card", () => {
    for (const document of [chat(), approval()]) {
      const flow = parseFlow(document);
      for (const [id, layout] of flowLayouts(flow)) {
        for (const port of flow.byId.get(id)?.ports ?? []) {
          const place = layout.ports.get(port.id);
          expect(place?.x).toBe(port.side === "in" ? 0 : layout.size.width);
          expect(place?.y).toBeLessThan(layout.size.height);
        }
      }
    }
  });

  it("keeps wired fields to one line", () => {
    const layout = flowLayouts(parseFlow(chat())).get("Model-1");
    expect(layout?.rows.map((row) => [row.field.name, row.shape, row.port?.id ?? null])).toEqual([
      ["model", "stacked", null],
      ["input_value", "inline", "in:input_value"],
      ["system_message", "tall", "in:system_message"],
    ]);
  });

  it("makes minimised nodes small", () => {
    const flow = parseFlow({
      nodes: [
        component("A-1", {
          data: { showNode: false },
          template: { f: field("f", { input_types: ["Message"] }) },
          outputs: [output("o", ["Tool"])],
        }),
      ],
    });
    const layout = flowLayouts(flow).get("A-1");
    expect(layout?.size).toEqual(CARD.minimised);
    expect(layout?.ports.get("out:o")).toEqual({ x: 192, y: 26 });
  });

  it("gives each named exit a row", () => {
    const layout = flowLayouts(parseFlow(approval())).get("ask");
    expect(layout?.outputs.map((row) => row.port.label)).toEqual(["approve", "reject"]);
  });
});

describe("boundsOf", () => {
  it("covers everything, and nothing has no bounds", () => {
    expect(boundsOf([])).toBeNull();
    expect(
      boundsOf([
        { position: { x: -5, y: 2 }, size: { width: 10, height: 10 } },
        { position: { x: 20, y: 0 }, size: { width: 1, height: 1 } },
      ]),
    ).toEqual({ x: -5, y: 0, width: 26, height: 12 });
  });
});

describe("compareFlows", () => {
  it("marks what was added, removed and changed, and keeps what is gone", () => {
    const before = parseFlow(chat());
    const document = chat() as { nodes: { id: string }[]; edges: unknown[] };
    const after = parseFlow({
      nodes: [...document.nodes.filter((node) => node.id !== "ChatOutput-1"), component("New-1")],
      edges: document.edges.slice(0, 1),
    });
    const { flow, nodeMarks, wireMarks } = compareFlows(before, after, ["Model-1"]);
    expect(Object.fromEntries(nodeMarks)).toEqual({
      "Model-1": "changed",
      "New-1": "added",
      "ChatOutput-1": "removed",
    });
    expect([...wireMarks.values()]).toEqual(["removed"]);
    expect(flow.byId.has("ChatOutput-1")).toBe(true);
  });
});

describe("redact", () => {
  it("masks literal secrets and keeps the names of variables", () => {
    const shown = JSON.stringify(
      redact({
        template: {
          api_key: field("api_key", { password: true, value: "sk-1" }),
          other: field("other", { password: true, load_from_db: true, value: "MY_VARIABLE" }),
          headers: { value: [{ key: "Authorization", value: "Bearer two" }] },
          config: { value: { token: "three", depth: 4 } },
        },
      }),
    );
    for (const secret of ["sk-1", "two", "three"]) expect(shown).not.toContain(secret);
    expect(shown).toContain("MY_VARIABLE");
    expect(shown).toContain('"depth":4');
  });
});
