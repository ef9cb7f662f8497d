import { describe, expect, it } from "vitest";
import { chat, component, field } from "@/flow/fixtures/build";
import { parseFlow } from "@/flow/parse";
import { fieldsFor, fieldToken, mentionAt, nodesFor, nodeToken } from "./mentions";

const flow = parseFlow(chat());

/** The mention at `|`. */
function at(marked: string) {
  const cursor = marked.indexOf("|");
  return mentionAt(marked.replace("|", ""), cursor, (id) => flow.byId.has(id));
}

describe("a node is mentioned", () => {
  it.each([
    ["@|", 0, ""],
    ["@cha|", 0, "cha"],
    ["look at @|", 8, ""],
    ["look at\n@Model-1|", 8, "Model-1"],
    ["look at @chat in|", 8, "chat in"],
    ["@ch|at and more", 0, "ch"],
    ["'ChatInput-1' and @|", 18, ""],
    ["write to me@home.net about @mo|", 27, "mo"],
  ])("in %s", (marked, from, query) => {
    expect(at(marked)).toEqual({ kind: "node", from, query });
  });

  it.each(["|", "|@chat", "me@home|", "(@|", "@ |", "@chat\n|", "@a  b|", "@ everyone|", `@${"long ".repeat(20)}|`])(
    "not in %s",
    (marked) => {
      expect(at(marked)).toBeNull();
    },
  );
});

describe("a field is mentioned", () => {
  it("by a dot right behind the quoted id", () => {
    expect(at("what is 'Model-1'.|")).toEqual({ kind: "field", from: 8, query: "", node: "Model-1" });
    expect(at("what is 'Model-1'.sys|")).toEqual({ kind: "field", from: 8, query: "sys", node: "Model-1" });
  });

  it.each(["'Model-1' .|", "'Nobody-1'.|", "'hello'.|", "Model-1.|", "'Model-1'. |", "'Model-1'.a b|", "'Model-1.api_key'.|", "'Model-1'|."])(
    "not in %s",
    (marked) => {
      expect(at(marked)).toBeNull();
    },
  );
});

it("an id may have a space in it, and other quotes before it", () => {
  const text = "it's in 'Prompt Template-17485'.";
  const known = (id: string) => id === "Prompt Template-17485";
  expect(mentionAt(text, text.length, known)).toEqual({ kind: "field", from: 8, query: "", node: "Prompt Template-17485" });
});

describe("what is offered", () => {
  it("are all nodes but notes, with their names", () => {
    expect(nodesFor(flow, "").map((node) => node.title)).toEqual(["Chat Input", "Language Model", "Chat Output"]);
  });

  it("is found by name and by id, in any case", () => {
    const ids = (query: string) => nodesFor(flow, query).map((node) => node.id);
    expect(ids("LANG")).toEqual(["Model-1"]);
    expect(ids("chat ou")).toEqual(["ChatOutput-1"]);
    expect(ids("chatoutput-1")).toEqual(["ChatOutput-1"]);
    expect(ids("chat")).toEqual(["ChatInput-1", "ChatOutput-1"]);
    expect(ids("xyz")).toEqual([]);
  });

  it("are a node's fields as a person knows them", () => {
    expect(fieldsFor(flow, "Model-1", "").map((one) => one.name).toSorted()).toEqual(
      ["api_key", "input_value", "model", "system_message"],
    );
    expect(fieldsFor(flow, "Model-1", "Input")).toEqual([{ name: "input_value", label: "Input" }]);
    expect(fieldsFor(flow, "note-1", "")).toEqual([]);
    expect(fieldsFor(flow, "gone", "")).toEqual([]);
  });

  it("leaves out what nobody sees: hidden fields, code and bookkeeping", () => {
    const template = {
      code: field("code", { display_name: "Code" }),
      _frontend_node_flow_id: field("_frontend_node_flow_id", { display_name: "Flow" }),
      secret_plan: field("secret_plan", { display_name: "Plan", show: false }),
      text: field("text", { display_name: "Text" }),
    };
    const own = parseFlow({ nodes: [component("Own-1", { template })], edges: [] });
    expect(fieldsFor(own, "Own-1", "")).toEqual([{ name: "text", label: "Text" }]);
  });

  it("is written between quotes", () => {
    expect(nodeToken("Model-1")).toBe("'Model-1'");
    expect(fieldToken("Model-1", "api_key")).toBe("'Model-1.api_key'");
  });
});
