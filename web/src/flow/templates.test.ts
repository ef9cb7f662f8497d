import { describe, expect, it } from "vitest";
import { readRegistry } from "./edit/registry";
import { chat, component, edge, field, note, output } from "./fixtures/build";
import { importNotes } from "./importNotes";
import type { JsonRecord } from "./json";
import { miniature } from "./miniature";
import { flowNeeds, type KnownProvider, missing, nothingMissing, worksOffline } from "./needs";
import { parseFlow } from "./parse";
import { readPasted } from "./pasted";
import { readTemplate, searchTemplates, suggestTemplates, templateTags } from "./templates";

const providers: KnownProvider[] = [
  { provider: "OpenAI", is_configured: false, is_rehearsal: false },
  { provider: "Rehearsal", is_configured: true, is_rehearsal: true },
];
const configured = providers.map((each) => ({ ...each, is_configured: true }));

const model = (provider: string | null, init: JsonRecord = {}) =>
  field("model", {
    type: "model",
    required: true,
    value: provider === null ? [] : [{ provider, name: "m" }],
    ...init,
  });

const agent = (provider: string | null) => ({
  nodes: [component("Agent-1", { template: { model: model(provider) } })],
  edges: [],
});

describe("what a flow needs", () => {
  it("nothing, when it is only text", () => {
    const needs = flowNeeds({ nodes: [component("ChatInput-1"), component("ChatOutput-1")], edges: [] });
    expect(worksOffline(needs, providers)).toBe(true);
    expect(nothingMissing(missing(needs, providers, []))).toBe(true);
  });

  it("a key of the provider it names, until there is one", () => {
    const needs = flowNeeds(agent("OpenAI"));
    expect(needs.providers).toEqual(["OpenAI"]);
    expect(worksOffline(needs, providers)).toBe(false);
    expect(missing(needs, providers, []).providers).toEqual(["OpenAI"]);
    expect(nothingMissing(missing(needs, configured, []))).toBe(true);
  });

  it("a provider that nobody here knows is missing too", () => {
    expect(missing(flowNeeds(agent("Acme")), configured, []).providers).toEqual(["Acme"]);
  });

  it("nothing for a rehearsal, but a provider for real answers", () => {
    const needs = flowNeeds(agent("Rehearsal"));
    expect(worksOffline(needs, providers)).toBe(true);
    expect(missing(needs, providers, [])).toMatchObject({ providers: [], rehearsal: true });
    expect(missing(needs, configured, []).rehearsal).toBe(false);
  });

  it("a model where none was chosen, unless a wire brings one", () => {
    expect(flowNeeds(agent(null)).anyModel).toBe(true);
    const wired = { ...agent(null), edges: [edge("LanguageModel-1", "model", "Agent-1", "model", ["LanguageModel"])] };
    expect(flowNeeds(wired).anyModel).toBe(false);
  });

  it("variables, secrets, files, the web and other flows", () => {
    const needs = flowNeeds({
      nodes: [
        component("URLComponent-1"),
        component("RunFlow-1", { template: { flow_name_selected: field("flow_name_selected", { value: "Other" }) } }),
        component("Search-1", {
          display_name: "Search",
          template: {
            key: field("key", { password: true, load_from_db: true, value: "SEARCH_KEY" }),
            token: field("token", { display_name: "Token", password: true, required: true }),
            optional: field("optional", { password: true }),
            hidden: field("hidden", { password: true, required: true, show: false }),
          },
        }),
        component("File-1", { display_name: "Read File", template: { path: field("path", { type: "file", required: true }) } }),
      ],
      edges: [],
    });
    expect(needs).toMatchObject({
      web: true,
      flows: ["Other"],
      variables: ["SEARCH_KEY"],
      secrets: [{ node: "Search", field: "Token" }],
      files: ["Read File"],
    });
    expect(missing(needs, providers, [{ name: "SEARCH_KEY" }]).variables).toEqual([]);
    expect(missing(needs, providers, []).variables).toEqual(["SEARCH_KEY"]);
  });

  it.each([null, "text", 3, {}, { nodes: 1, edges: null }, { nodes: [null, { id: "a" }], edges: [3] }])(
    "nothing can be said about %o",
    (document) => {
      expect(worksOffline(flowNeeds(document), [])).toBe(true);
    },
  );
});

describe("the picture of a flow", () => {
  it("stays inside its frame and keeps the order", () => {
    const flow = parseFlow({
      nodes: [
        component("A-1", { at: [-500, 90], outputs: [output("message", ["Message"])] }),
        component("B-1", { at: [4000, 2000], template: { text: field("text", { input_types: ["Message"] }) } }),
        note("note-1", "far away", "amber", [90_000, 0]),
      ],
      edges: [edge("A-1", "message", "B-1", "text")],
    });
    const { nodes, wires } = miniature(flow, 240, 120);
    expect(nodes.map(({ id }) => id)).toEqual(["A-1", "B-1"]);
    for (const { x, y, width, height } of nodes) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(240);
      expect(y + height).toBeLessThanOrEqual(120);
    }
    expect(nodes[0]?.x).toBeLessThan(nodes[1]?.x ?? 0);
    expect(wires).toHaveLength(1);
    expect(wires[0]).toMatchObject({ type: "message", path: expect.stringMatching(/^M[\d.]+ [\d.]+C/) });
  });

  it("is empty for an empty flow", () => {
    expect(miniature(parseFlow({ nodes: [], edges: [] }), 10, 10)).toMatchObject({ nodes: [], wires: [] });
  });
});

const template = (name: string, description: string, tags: string[], parts: string[] = []) =>
  readTemplate({
    id: name,
    name,
    description,
    icon: "x",
    tags,
    data: { nodes: parts.map((part) => component(`${part}-1`)), edges: [] },
  });

const gallery = [
  template("Echo", "Answers with what you say: the smallest flow there is.", ["basics"], ["ChatInput", "ChatOutput"]),
  template("Human approval", "Waits until a person approves or rejects a text.", ["control", "people"], ["HumanInput"]),
  template("Memory chatbot", "Remembers what was said earlier in the session.", ["models", "chatbots"], ["Memory"]),
  template("Web digest", "Reads a web page and shows its title.", ["web"], ["URLComponent"]),
  template("Odd", "Has a tag of its own.", ["zoo"]),
];
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name);

describe("the gallery", () => {
  it("counts the tags in its own order", () => {
    expect(templateTags(gallery).map(({ tag }) => tag)).toEqual([
      "basics",
      "chatbots",
      "models",
      "control",
      "people",
      "web",
      "zoo",
    ]);
  });

  it.each([
    ["", names(gallery)],
    ["echo", ["Echo"]],
    ["chatbots", ["Memory chatbot"]],
    ["WEB page", ["Web digest"]],
    ["urlcomponent", ["Web digest"]],
    ["web echo", []],
  ])("is searched for “%s”", (query, found) => {
    expect(names(searchTemplates(gallery, query))).toEqual(found);
  });

  it.each([
    ["I want a bot that remembers the session", ["Memory chatbot"]],
    ["ask a manager for approval before a letter goes out", ["Human approval"]],
    ["summarise web pages", ["Web digest"]],
    ["please make me a flow", []],
    ["", []],
  ])("has something to do with “%s”", (description, found) => {
    expect(names(suggestTemplates(gallery, description, 1).map((each) => each.template))).toEqual(found);
  });

  it("lists each kind of node once", () => {
    const two = readTemplate({ id: "x", name: "", description: "", icon: "", tags: [], data: chat() });
    expect(two.parts.map(({ name }) => name)).toContain("Chat Input");
    expect(new Set(two.parts.map(({ type }) => type)).size).toBe(two.parts.length);
  });
});

describe("a pasted text", () => {
  const flow = { name: "Mine", data: { nodes: [], edges: [] } };
  it.each([
    ["a flow", flow, { kind: "flow", name: "Mine" }],
    ["a bare document", flow.data, { kind: "flow", name: "" }],
    ["several", [flow, flow], { kind: "flow", name: "" }],
    ["an export of a project", { flows: [flow] }, { kind: "flow", name: "Mine" }],
    ["an empty list", [], { kind: "notFlow" }],
    ["a list with something else in it", [flow, 3], { kind: "notFlow" }],
    ["a number", 3, { kind: "notFlow" }],
    ["another object", { hello: "there" }, { kind: "notFlow" }],
  ])("that is %s", (_, value, kind) => {
    expect(readPasted(JSON.stringify(value))).toEqual(kind);
  });
  it("that is no JSON", () => {
    expect(readPasted("Dear all,")).toEqual({ kind: "notJson" });
  });
});

it("an import names what this server does not have, once", () => {
  const registry = readRegistry({ a: { ChatInput: { template: {} } } });
  const data = {
    nodes: [
      component("ChatInput-1"),
      component("Acme-1", { display_name: "Acme search" }),
      component("Acme-2", { display_name: "Acme search" }),
      note("note-1", "hello"),
      3,
    ],
    edges: [],
  };
  expect(importNotes(data, registry)).toEqual({ unknown: [{ type: "Acme", name: "Acme search" }], lost: 1 });
  expect(importNotes(data, null).unknown).toEqual([]);
  expect(importNotes(null, registry)).toMatchObject({ unknown: [] });
});
