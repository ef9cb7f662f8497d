import { canonicalTypes } from "../portTypes";
import { listed } from "./values";

/**
 * Why an edit was refused; the document is as it was. The words are the server's own (`ferro-model`), so that a person
 * reads the same sentence wherever the check was made; `code` and `params` are for whoever translates them.
 */
export interface Refusal {
  code: RefusalCode;
  message: string;
  params: Params;
}

type Params = Record<string, string | readonly string[]>;

const one = (params: Params, key: string): string => String(params[key] ?? "");
const many = (params: Params, key: string): readonly string[] => {
  const value = params[key];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};
const names = (params: Params): string => listed(many(params, "available"));

const WORDS = {
  unknown_type: (p: Params) =>
    `there is no component of the type \`${one(p, "type")}\`; there is ${names(p)}`,
  unknown_node: (p: Params) => `there is no node \`${one(p, "node")}\` in the flow; it may have been removed`,
  node_exists: (p: Params) => `there is a node \`${one(p, "node")}\` already; choose another id`,
  unknown_field: (p: Params) =>
    `\`${one(p, "node")}\` has no field \`${one(p, "field")}\`; it has ${names(p)}`,
  reserved_field: (p: Params) =>
    `\`${one(p, "field")}\` of \`${one(p, "node")}\` is no field but something the editor keeps there; the fields are ${names(p)}`,
  unknown_output: (p: Params) =>
    `\`${one(p, "node")}\` has no output \`${one(p, "output")}\`; it has ${names(p)}`,
  unknown_input: (p: Params) =>
    `\`${one(p, "node")}\` has no input \`${one(p, "input")}\`; it has ${names(p)}`,
  no_such_node: (p: Params) => `there is no node \`${one(p, "node")}\`; there is ${names(p)}`,
  no_tool: (p: Params) =>
    `\`${one(p, "node")}\` cannot be a tool: none of its fields is a tool argument${
      "available" in p ? `; choose one of its outputs: ${names(p)}` : ""
    }`,
  no_way_back: (p: Params) =>
    `the outputs of \`${one(p, "node")}\` outside tool mode are not known, because there is no component \`${one(p, "type")}\` here; add the node again`,
  no_model: (p: Params) => `\`${one(p, "node")}\` has no field that holds a model`,
  no_variable: (p: Params) =>
    `\`${one(p, "node")}.${one(p, "field")}\` cannot take its value from a variable; set a value instead`,
  not_a_note: (p: Params) => `\`${one(p, "node")}\` is not a note`,
  not_a_component: (p: Params) => `\`${one(p, "node")}\` is not a component`,
  not_a_group: (p: Params) => `\`${one(p, "node")}\` is not a group`,
  empty_group: () => "a group needs at least one node; select some and try again",
  loop_across: (p: Params) =>
    `the wire from \`${one(p, "from")}\` enters the loop port of \`${one(p, "node")}\`, and a group has none; take both into the group`,
  group_cycle: (p: Params) =>
    `wires would lead out of the group and back into it: ${many(p, "path").join(" -> ")}; take what lies between into the group`,
  not_finite: () => "a position must be two finite numbers",
  not_a_size: () => "a size must be two finite numbers above zero",
  not_a_flow: (p: Params) => one(p, "reason"),
  unknown_wire: (p: Params) => `there is no wire \`${one(p, "wire")}\` in the flow; it may have been removed`,
  self_wire: (p: Params) =>
    `\`${one(p, "node")}\` cannot be wired to itself; put another node between, or wire into a loop port`,
  types: (p: Params) => `${one(p, "wire")}: ${incompatible(many(p, "outputs"), many(p, "inputs"))}`,
  occupied: (p: Params) =>
    `\`${one(p, "node")}.${one(p, "input")}\` takes one wire and has one from \`${one(p, "by")}\`; disconnect that first`,
  tool_argument: (p: Params) =>
    `\`${one(p, "node")}.${one(p, "input")}\` is an argument that the agent gives while \`${one(p, "node")}\` is a tool; turn tool mode off to wire it`,
  hidden: (p: Params) =>
    `\`${one(p, "node")}.${one(p, "input")}\` is hidden with the present settings of \`${one(p, "node")}\`; change what hides it`,
  cycle: (p: Params) =>
    `the wire would close a cycle that cannot end: ${many(p, "path").join(" -> ")}; lead it back into the loop port of a Loop instead`,
  // A patch that does not fit the document it meets, because that has changed.
  node_gone: (p: Params) =>
    `the node \`${one(p, "node")}\` is no longer there; reload the flow and do it again`,
  node_taken: (p: Params) => `there is a node \`${one(p, "node")}\` already; reload the flow and do it again`,
  value_changed: (p: Params) =>
    `\`${many(p, "path").join(".")}\` of \`${one(p, "node")}\` has been changed by someone else; reload the flow and do it again`,
  wire_gone: (p: Params) =>
    `the wire from \`${one(p, "source")}\` to \`${one(p, "target")}\` is no longer there; reload the flow and do it again`,
  flow_replaced: () => "the flow has been replaced by someone else; reload it and do it again",
  built_on: (p: Params) =>
    `\`${one(p, "node")}\` has been changed since, on top of what is to be taken back; undo that first`,
  malformed: () =>
    "the change is not valid JSON or would make the document invalid; reload the flow and do it again",
} as const;

export type RefusalCode = keyof typeof WORDS;

export function refusal(code: RefusalCode, params: Params = {}): Refusal {
  return { code, message: WORDS[code](params), params };
}

/** Thrown inside an edit and caught where edits are applied; nothing outside sees it. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(code: RefusalCode, params: Params = {}) {
    const why = refusal(code, params);
    super(why.message);
    this.refusal = why;
  }
}

/** Why two ports have no wire between them, and what to do. */
export function incompatible(outputs: readonly string[], inputs: readonly string[]): string {
  const gives = canonicalTypes(outputs);
  const takes = canonicalTypes(inputs);
  if (takes.length === 0) return "the input takes no wire; set its value instead";
  if (gives.length === 0) return "the output names no type; choose another output";
  const between = converter(gives, takes);
  const advice = between
    ? `put a \`${between.component}\` between them, wired into its \`${between.input}\` and out of its \`${between.output}\``
    : "choose ports that have a type in common";
  return `${gives.join(" or ")} does not fit ${takes.join(" or ")}; ${advice}`;
}

/** The component that translates between types that do not fit. */
export function converter(
  outputs: readonly string[],
  inputs: readonly string[],
): { component: string; input: string; output: string } | null {
  const gives = canonicalTypes(outputs);
  const takes = canonicalTypes(inputs);
  const input = "input_data";
  if ((gives.includes("JSON") || gives.includes("Table")) && takes.includes("Message"))
    return { component: "ParserComponent", input, output: "parsed_text" };
  const component = "TypeConverterComponent";
  if (gives.includes("Message") && takes.includes("JSON")) return { component, input, output: "data_output" };
  if (gives.includes("Message") && takes.includes("Table"))
    return { component, input, output: "dataframe_output" };
  return null;
}
