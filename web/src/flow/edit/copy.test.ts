import { describe, expect, it } from "vitest";
import { approval, chat } from "../fixtures/build";
import { built, counting, frozen, taken } from "../fixtures/components";
import { parseHandle } from "../handles";
import { isRecord, type JsonRecord } from "../json";
import { parseFlow } from "../parse";
import { apply } from "./apply";
import { edgesOf, nodesOf } from "./document";
import { decodeHandle, encodeHandle } from "./encode";
import { copyText, readClipboard } from "./clipboard";
import { getAt } from "./values";

describe("duplicates", () => {
  it("have new ids, the wires between them and their own place", () => {
    const document = frozen(chat());
    const outcome = taken(
      apply(
        document,
        { op: "duplicate", nodes: ["ChatInput-1", "Model-1", "note-1"], dx: 40, dy: 100 },
        counting(),
      ),
    );
    expect(outcome.nodes).toEqual(["ChatInput-00001", "Model-00002", "note-00003"]);
    const flow = parseFlow(outcome.document);
    expect(flow.problems).toEqual([]);
    expect(flow.wires).toHaveLength(3);
    expect(flow.wires[2]).toMatchObject({
      source: "ChatInput-00001",
      target: "Model-00002",
      broken: false,
      targetPort: "in:input_value",
    });
    expect(flow.byId.get("Model-00002")?.position).toEqual({ x: 520, y: 100 });
    const copy = nodesOf(outcome.document).at(-2);
    expect(getAt(copy, ["data", "id"])).toBe("Model-00002");
    // All that was not renamed is shared.
    expect(getAt(copy, ["data", "node"])).toBe(getAt(nodesOf(document)[1], ["data", "node"]));
    const edge = edgesOf(outcome.document)[2];
    const data = edge?.data as JsonRecord;
    for (const key of ["sourceHandle", "targetHandle"])
      expect(parseHandle(edge?.[key])).toEqual(parseHandle(data[key]));
    expect(edge?.id).toBe(
      `reactflow__edge-ChatInput-00001${String(edge?.sourceHandle)}-Model-00002${String(edge?.targetHandle)}`,
    );
    const back = taken(apply(outcome.document, outcome.inverse)).document;
    expect(JSON.stringify(back)).toBe(JSON.stringify(document));
  });

  it("of workflow nodes keep their named exits", () => {
    const nodes = nodesOf(approval()).map(({ id }) => String(id));
    const outcome = taken(apply(approval(), { op: "duplicate", nodes, dx: 0, dy: 500 }, counting()));
    const flow = parseFlow(outcome.document);
    expect(flow.problems).toEqual([]);
    expect(flow.wires).toHaveLength(12);
    expect(outcome.nodes).toContain("userApproval-00004");
  });

  it("stay with their parent when that is copied too", () => {
    const document = {
      nodes: [
        { id: "p", type: "start", position: { x: 10, y: 10 }, positionAbsolute: { x: 10, y: 10 }, data: {} },
        { id: "c", type: "end", position: { x: 1, y: 1 }, parentId: "p", data: {} },
        { id: "d", type: "end", position: { x: 1, y: 1 }, parentId: "elsewhere", data: {} },
      ],
      edges: [],
    };
    const outcome = taken(
      apply(document, { op: "duplicate", nodes: ["p", "c", "d"], dx: 5, dy: 5 }, counting()),
    );
    expect(nodesOf(outcome.document).slice(3)).toEqual([
      { id: "start-00001", type: "start", position: { x: 15, y: 15 }, data: {} },
      { id: "end-00002", type: "end", position: { x: 1, y: 1 }, parentId: "start-00001", data: {} },
      { id: "end-00003", type: "end", position: { x: 6, y: 6 }, data: {} },
    ]);
  });

  it("of what is not there are refused", () => {
    expect(apply(chat(), { op: "duplicate", nodes: ["gone"], dx: 0, dy: 0 })).toMatchObject({
      refusal: { code: "unknown_node" },
    });
    expect(apply(chat(), { op: "duplicate", nodes: ["Model-1"], dx: Infinity, dy: 0 })).toMatchObject({
      refusal: { code: "not_finite" },
    });
    const twice = nodesOf(chat()).slice(0, 1);
    expect(
      apply(chat(), { op: "paste", nodes: [...twice, ...twice], edges: [], dx: 0, dy: 0 }),
    ).toMatchObject({
      refusal: { code: "malformed" },
    });
    const stuck = { ...counting(), ids: () => "x" };
    const two = [...nodesOf(built(["ChatInput", "ChatInput"]))];
    expect(apply({}, { op: "paste", nodes: two, edges: [], dx: 0, dy: 0 }, stuck)).toMatchObject({
      refusal: { code: "node_exists" },
    });
  });
});

describe("the clipboard", () => {
  it("carries nodes from one flow to another", () => {
    const copied = copyText(chat(), ["ChatInput-1", "Model-1"]);
    expect(copied).toMatchObject({ nodes: 2, secrets: 1 });
    expect(copied.text).not.toContain("sk-live-123");
    const read = readClipboard(`\n${copied.text} `);
    if (!read.ok) throw new Error(read.reason);
    expect(read.edges).toHaveLength(1);
    const outcome = taken(
      apply(
        { nodes: [], edges: [] },
        { op: "paste", nodes: read.nodes, edges: read.edges, dx: 0, dy: 0 },
        counting(),
      ),
    );
    expect(parseFlow(outcome.document)).toMatchObject({ problems: [], wires: [{ broken: false }] });
  });

  it("keeps names of variables, and looks into groups for secrets", () => {
    const secret = (value: string, load_from_db: boolean): JsonRecord => ({
      api_key: { name: "api_key", type: "str", password: true, value, load_from_db },
    });
    const inner = { id: "i", type: "genericNode", data: { node: { template: secret("hidden", false) } } };
    const node = (id: string, more: JsonRecord): JsonRecord => ({
      id,
      type: "genericNode",
      data: { node: more },
    });
    const document = {
      nodes: [
        node("a", { template: secret("MY_KEY", true) }),
        node("g", { template: {}, flow: { data: { nodes: [inner], edges: [] } } }),
      ],
      edges: [],
    };
    const copied = copyText(document, ["a", "g"]);
    expect(copied.secrets).toBe(1);
    expect(copied.text).toContain("MY_KEY");
    expect(copied.text).not.toContain("hidden");
  });

  it("takes exported flows, bare nodes and a single node", () => {
    const data = chat();
    expect(readClipboard(JSON.stringify({ name: "Chat", data }))).toMatchObject({ ok: true, name: "Chat" });
    expect(readClipboard(JSON.stringify(data))).toMatchObject({ ok: true, name: null });
    const [first] = nodesOf(data);
    expect(readClipboard(JSON.stringify(first))).toEqual({ ok: true, name: null, nodes: [first], edges: [] });
    const foreign = readClipboard(JSON.stringify({ nodes: [first], edges: data.edges }));
    expect(foreign.ok && foreign.edges).toEqual([]);
  });

  it.each([
    ["", "empty"],
    ["  \n", "empty"],
    ["Hello there", "not_json"],
    ["{", "not_json"],
    ["4", "not_nodes"],
    ["null", "not_nodes"],
    ['{"nodes": 1}', "not_nodes"],
    ['{"nodes": [1]}', "not_nodes"],
    ['{"nodes": [{"id": "a"}]}', "not_nodes"],
    ['{"name": "x", "version": "1.0"}', "not_nodes"],
    ['{"nodes": [], "edges": []}', "no_nodes"],
    ['{"nodes": [{"data": {}, "type": "x"}]}', "bad_ids"],
    ['{"nodes": [{"id": "a", "data": {}, "type": "x"}, {"id": "a", "data": {}, "type": "x"}]}', "bad_ids"],
    [" ".repeat(3) + "x".repeat(20_000_001), "too_long"],
  ])("refuses %.40s: %s", (source, reason) => {
    expect(readClipboard(source)).toEqual({ ok: false, reason });
  });
});

describe("handles", () => {
  it("are sorted at every level and survive the letter that stands for a quote", () => {
    const handle = { type: "str", id: "a œ b", fieldName: "x", proxy: { id: "i", field: "f" } };
    const text = encodeHandle(handle);
    expect(text).toBe("{œfieldNameœ:œxœ,œidœ:œa \\u0153 bœ,œproxyœ:{œfieldœ:œfœ,œidœ:œiœ},œtypeœ:œstrœ}");
    expect(decodeHandle(text)).toEqual(handle);
    expect(isRecord(parseHandle(text))).toBe(true);
    expect(decodeHandle("approve")).toBeNull();
    expect(decodeHandle("[]")).toBeNull();
  });
});
