import { arrayOr, recordOr, text } from "./json";
import type { ComponentNode, Field, Flow } from "./model";
import { isBasic } from "./fields";
import { redact } from "./secrets";

/** A field whose value a caller may bring along. */
export interface CallField {
  node: string;
  field: string;
  label: string;
  value: unknown;
  secret: boolean;
  advanced: boolean;
}

export interface CallNode {
  id: string;
  title: string;
  fields: CallField[];
}

export interface FilePlace {
  node: string;
  title: string;
  field: string;
  label: string;
  list: boolean;
  /** The files of a Chat Input: they go with the message. */
  withMessage: boolean;
}

/** What a program that calls a flow can give it. */
export interface CallInputs {
  chat: boolean;
  webhook: boolean;
  texts: CallField[];
  files: FilePlace[];
  nodes: CallNode[];
}

export type Tweaks = Record<string, Record<string, unknown>>;

const NEVER = new Set(["code", "port", "tools", "link", "other", "file"]);

export function callInputs(flow: Flow): CallInputs {
  const inputs: CallInputs = { chat: false, webhook: false, texts: [], files: [], nodes: [] };
  for (const node of flow.nodes) {
    if (node.kind !== "component") continue;
    const wired = wiredFields(flow, node);
    const inner = innerTypes(node);
    if (node.type === "ChatInput" || inner.has("ChatInput")) inputs.chat = true;
    if (node.type === "Webhook") inputs.webhook = true;
    const free = node.fields.filter((field) => field.shown && !wired.has(field.name));
    for (const field of free) {
      if (field.kind === "file") inputs.files.push(filePlace(node, field));
    }
    const fields = free.filter((field) => !NEVER.has(field.kind)).map((field) => callField(node, field));
    const said = fields.find((field) => field.field === "input_value");
    if (node.type === "TextInput" && said) inputs.texts.push({ ...said, label: node.title });
    const rest = fields.filter((field) => field !== said || !(node.type in SAID_BY_CALL));
    if (rest.length > 0 && node.type !== "Webhook") inputs.nodes.push({ id: node.id, title: node.title, fields: rest });
  }
  return inputs;
}

/** What these say is the call's own input: beside it, the server refuses the same field as a tweak. */
const SAID_BY_CALL: Record<string, true> = { ChatInput: true, TextInput: true };

function wiredFields(flow: Flow, node: ComponentNode): Set<string> {
  const fed = new Set(
    (flow.wiresOf.get(node.id) ?? []).flatMap((wire) => (wire.target === node.id ? [wire.targetPort] : [])),
  );
  return new Set(node.ports.flatMap((port) => (port.side === "in" && fed.has(port.id) ? [port.name] : [])));
}

function innerTypes(node: ComponentNode): Set<string> {
  const group = recordOr(recordOr(recordOr(recordOr(node.raw.data).node).flow).data);
  return new Set(arrayOr(group.nodes).map((inner) => text(recordOr(recordOr(inner).data).type)));
}

// A group's field is one of a node inside it, and the server knows it by that node.
function owner(node: ComponentNode, field: Field): { node: string; field: string } {
  return field.proxy ? { node: field.proxy.id, field: field.proxy.field } : { node: node.id, field: field.name };
}

function callField(node: ComponentNode, field: Field): CallField {
  return {
    ...owner(node, field),
    label: field.label,
    value: callValue(field),
    secret: field.kind === "secret",
    advanced: !isBasic(field, false),
  };
}

/** The value as it stands in the flow; a secret is named by a variable and never written out. */
function callValue(field: Field): unknown {
  if (field.kind === "secret" || field.variable !== null) {
    return { load_from_db: true, value: field.variable ?? field.name.toUpperCase().replace(/[^A-Z0-9]+/g, "_") };
  }
  return redact(field.value ?? "");
}

function filePlace(node: ComponentNode, field: Field): FilePlace {
  return {
    ...owner(node, field),
    title: node.title,
    label: field.label,
    list: field.list,
    withMessage: node.type === "ChatInput",
  };
}

export function tweaksOf(fields: readonly CallField[]): Tweaks {
  const tweaks: Tweaks = {};
  for (const { node, field, value } of fields) tweaks[node] = { ...tweaks[node], [field]: value };
  return tweaks;
}
