import { describe, expect, it } from "vitest";
import { component, edge, field, output } from "../fixtures/build";
import { at, check, refused } from "../fixtures/check";
import { isRecord, recordOr, type JsonRecord } from "../json";
import { parseFlow } from "../parse";
import { edgesOf } from "./document";
import type { Edit } from "./edits";
import { lostWires, recoded } from "./recoded";

const SOURCE = `from lfx.custom import Component


class Shout(Component):
    display_name = "Shout"
    description = 'Says it louder.'
`;

const message = { input_types: ["Message"] };
const code = (value: string): JsonRecord => field("code", { type: "code", advanced: true, value });

function made(fields: JsonRecord[], more: JsonRecord = {}, source = SOURCE): JsonRecord {
  const template = Object.fromEntries([code(source), ...fields].map((one) => [String(one.name), one]));
  return {
    display_name: "Shout",
    description: "Says it louder.",
    outputs: [output("text", ["Message"])],
    frozen: false,
    ...more,
    template: { _type: "Component", ...template },
  };
}

const value = (component: JsonRecord, name: string): unknown => {
  const entry = recordOr(component.template)[name];
  return isRecord(entry) ? entry.value : undefined;
};

describe("a node with new code", () => {
  const sent = made([field("text", { value: "hi" }), field("times", { type: "int", value: 1 })]);
  const old = made([field("text", { value: "hi" }), field("times", { type: "int", value: 7 })]);

  it("is as the server says, but for what was set since it was asked", () => {
    const fresh = made([field("text", { value: "hello" }), field("times", { type: "int", value: 1 }), field("more")]);
    const { component: now } = recoded(old, fresh, sent);
    expect([value(now, "text"), value(now, "times"), value(now, "more")]).toEqual(["hello", 7, ""]);
  });

  it("drops what was set in a field of another kind, or of a list", () => {
    const fresh = made([field("text", { list: true, value: [] }), field("times", { value: "once" })]);
    const { component: now } = recoded(old, fresh, made([]));
    expect([value(now, "text"), value(now, "times")]).toEqual([[], "once"]);
  });

  it("keeps the variable a field names and the file it points to", () => {
    const before = made([
      field("key", { load_from_db: true, value: "MY_KEY" }),
      field("doc", { type: "file", value: "a.txt", file_path: "u/a.txt" }),
    ]);
    const asked = made([field("key", { load_from_db: false, value: "MY_KEY" }), field("doc", { type: "file", file_path: "" })]);
    const { component: now } = recoded(before, asked, asked);
    expect(recordOr(now.template).key).toMatchObject({ load_from_db: true, value: "MY_KEY" });
    expect(recordOr(now.template).doc).toMatchObject({ value: "a.txt", file_path: "u/a.txt" });
  });

  it("has the new code, whatever the old was", () => {
    const fresh = made([], {}, "# new");
    expect(value(recoded(old, fresh, old).component, "code")).toBe("# new");
  });

  it("keeps a name that somebody gave it, and not the name of the old code", () => {
    const fresh = made([], { display_name: "Whisper", description: "Quietly." });
    expect(recoded(old, fresh, old).component).toMatchObject({ display_name: "Whisper", description: "Quietly." });
    const renamed = { ...old, display_name: "My step", description: "Mine" };
    expect(recoded(renamed, fresh, renamed).component).toMatchObject({ display_name: "My step", description: "Mine" });
    // Where the code says nothing, the server knows.
    const source = "class Shout(Component):\n    pass\n";
    const unnamed = made([], { display_name: "Mine" }, source);
    expect(recoded(unnamed, fresh, unnamed).component.display_name).toBe("Whisper");
    expect(recoded(unnamed, made([], {}, `${source}\n`), unnamed).component.display_name).toBe("Mine");
  });

  it("stays frozen, keeps unknown keys, and the type chosen for an output", () => {
    const outputs = [output("text", ["Message", "Data"], { selected: "Data" }), output("gone", ["Message"])];
    const before = { ...old, frozen: true, outputs, lf_version: "1.6" };
    const fresh = made([], { outputs: [output("text", ["Message", "Data"]), output("new", ["Message"])] });
    const now = recoded(before, fresh, before).component;
    expect(now).toMatchObject({ frozen: true, lf_version: "1.6" });
    expect(now.outputs).toMatchObject([{ name: "text", selected: "Data" }, { name: "new" }]);
  });

  it("tells which values decide about other fields", () => {
    const before = made([field("mode", { value: "b", real_time_refresh: true }), field("text", { value: "x" })]);
    const mode = (to: string) => made([field("mode", { value: to, real_time_refresh: true }), field("text")]);
    expect(recoded(before, mode("b"), before).deciding).toEqual(["mode"]);
    expect(recoded(before, mode("a"), before).deciding).toEqual([]);
  });
});

describe("its wires", () => {
  const node = made([field("text", message), field("data", { type: "other", input_types: ["Data"] })]);
  const document = (): JsonRecord => ({
    nodes: [
      component("In-1", { outputs: [output("message", ["Message"])] }),
      component("Shout-1", node as never),
      component("Out-1", { template: { input_value: field("input_value", message) } }),
    ],
    edges: [edge("In-1", "message", "Shout-1", "text"), edge("Shout-1", "text", "Out-1", "input_value")],
  });
  const recode = (next: JsonRecord, type = "Shout"): Edit => ({ op: "recode", node: "Shout-1", component: next, type });
  const ends = (data: JsonRecord) => edgesOf(data).map(({ source, target }) => `${String(source)} ${String(target)}`);

  it("stay where they fit, as the very same objects if nothing about them is different", () => {
    const before = document();
    const first = check(before, recode(node), ["Shout-1"]);
    const now = check(first, recode({ ...node, description: "Other" }), ["Shout-1"]);
    for (const [index, wire] of edgesOf(first).entries()) expect(edgesOf(now)[index]).toBe(wire);
    expect(ends(now)).toEqual(["In-1 Shout-1", "Shout-1 Out-1"]);
  });

  it("go with a field or an output that is gone", () => {
    const now = check(document(), recode(made([field("other", message)])), ["Shout-1"]);
    expect(ends(now)).toEqual(["Shout-1 Out-1"]);
    const none = check(document(), recode(made([field("text", message)], { outputs: [output("loud", ["Message"])] })), ["Shout-1"]);
    expect(ends(none)).toEqual(["In-1 Shout-1"]);
    expect(lostWires(parseFlow(document()), parseFlow(none), "Shout-1")).toEqual(["Shout · text → Out · Input value"]);
  });

  it("go when the types no longer fit, or the field is hidden", () => {
    const typed = made([field("text", { type: "other", input_types: ["Data"] })], { outputs: [output("text", ["Embeddings"])] });
    expect(ends(check(document(), recode(typed), ["Shout-1"]))).toEqual([]);
    const hidden = made([field("text", { ...message, show: false })]);
    expect(ends(check(document(), recode(hidden), ["Shout-1"]))).toEqual(["Shout-1 Out-1"]);
  });

  it("say what they carry now", () => {
    const next = made([field("text", { input_types: ["Message", "Data"] })], { outputs: [output("text", ["Message", "Data"], { selected: "Message" })] });
    const now = check(document(), recode(next, "Louder"), ["Shout-1"]);
    const [into, out] = edgesOf(now);
    expect(recordOr(into?.data).targetHandle).toMatchObject({ inputTypes: ["Message", "Data"] });
    expect(recordOr(out?.data).sourceHandle).toMatchObject({ dataType: "Louder", output_types: ["Message"] });
    expect(at(now, "Shout-1", "data.type")).toBe("Louder");
  });

  it("leave only one at an input that no longer takes several", () => {
    const several = made([field("text", { ...message, list: true })]);
    const start: JsonRecord = {
      nodes: [
        component("In-1", { outputs: [output("message", ["Message"])] }),
        component("In-2", { outputs: [output("message", ["Message"])] }),
        component("Shout-1", several as never),
      ],
      edges: [edge("In-1", "message", "Shout-1", "text"), edge("In-2", "message", "Shout-1", "text")],
    };
    expect(ends(check(start, recode(made([field("text", message)])), ["Shout-1"]))).toEqual(["In-1 Shout-1"]);
  });

  it("that were broken before are left to people", () => {
    const broken = document();
    const edges = [...edgesOf(broken), edge("In-1", "nowhere", "Shout-1", "data", ["Data"])];
    const now = check({ ...broken, edges }, recode(made([field("text", message)])), ["Shout-1"]);
    expect(ends(now)).toEqual(["In-1 Shout-1", "Shout-1 Out-1", "In-1 Shout-1"]);
  });

  it("of a tool stay while the code still has arguments for it", () => {
    const tool = made([field("text", { ...message, tool_mode: true })], {
      tool_mode: true,
      outputs: [output("component_as_tool", ["Tool"], { method: "to_toolkit" })],
    });
    const start: JsonRecord = {
      nodes: [
        component("Shout-1", tool as never),
        component("Agent-1", { template: { tools: field("tools", { type: "other", input_types: ["Tool"], list: true }) } }),
      ],
      edges: [edge("Shout-1", "component_as_tool", "Agent-1", "tools", ["Tool"])],
    };
    const next = made([field("text", { ...message, tool_mode: true }), field("more")], { tool_mode: false });
    const now = check(start, recode(next), ["Shout-1"]);
    expect(ends(now)).toEqual(["Shout-1 Agent-1"]);
    expect(at(now, "Shout-1", "data.node.tool_mode")).toBe(true);
    expect(ends(check(start, recode(made([field("text", message)], { tool_mode: false })), ["Shout-1"]))).toEqual([]);
  });

  it("and the choice of an output that is gone", () => {
    const nodes = document().nodes as JsonRecord[];
    const chosen = nodes.map((one) =>
      one.id === "Shout-1" ? { ...one, data: { ...recordOr(one.data), selected_output: "text" } } : one,
    );
    const next = made([field("text", message)], { outputs: [output("loud", ["Message"])] });
    const now = check({ ...document(), nodes: chosen }, recode(next), ["Shout-1"]);
    expect(at(now, "Shout-1", "data.selected_output")).toBeUndefined();
  });

  it("are nobody's business where there is no component", () => {
    expect(refused({ nodes: [], edges: [] }, recode(node))).toContain("there is no node");
  });
});
