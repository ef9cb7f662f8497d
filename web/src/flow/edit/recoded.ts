import { humanise } from "../fields";
import { arrayOr, isRecord, recordOr, text, type JsonRecord } from "../json";
import type { Flow, Wire } from "../model";
import { nodeCode } from "../nodeCode";
import { sameJson } from "./values";

export interface Recoded {
  component: JsonRecord;
  /** Fields whose value may decide what other fields there are. */
  deciding: string[];
}

/** Besides its value: what belongs to a field because somebody set it so. */
const SET = ["load_from_db", "file_path", "_connection_mode"] as const;

/**
 * A node with the component of its new code. `fresh` is the server's answer to `sent`, with what was set there; what was
 * set since then stays too, where the field is still there and of its kind, and so does a name somebody gave the node.
 */
export function recoded(old: JsonRecord, fresh: JsonRecord, sent: JsonRecord): Recoded {
  const deciding: string[] = [];
  const template = Object.entries(recordOr(fresh.template)).map(([name, entry]) => {
    const own = recordOr(old.template)[name];
    if (name === "code" || !isRecord(entry) || !isRecord(own) || !sameKind(own, entry)) return [name, entry] as const;
    const whole = sameSetting(own, recordOr(recordOr(sent.template)[name])) ? entry : { ...entry, ...settingOf(own) };
    if (whole.real_time_refresh === true && whole.value !== "" && sameJson(own.value, whole.value)) deciding.push(name);
    return [name, whole] as const;
  });
  return {
    deciding,
    component: {
      ...old,
      ...fresh,
      ...kept(old, fresh, "display_name"),
      ...kept(old, fresh, "description"),
      ...("frozen" in old ? { frozen: old.frozen } : {}),
      template: Object.fromEntries(template),
      outputs: outputsOf(old, fresh),
    },
  };
}

function sameKind(one: JsonRecord, other: JsonRecord): boolean {
  return one.type === other.type && (one.list === true) === (other.list === true);
}

function settingOf(field: JsonRecord): JsonRecord {
  const beside = SET.flatMap((key) => (key in field ? [[key, field[key]] as const] : []));
  return { value: field.value ?? null, ...Object.fromEntries(beside) };
}

function sameSetting(one: JsonRecord, other: JsonRecord): boolean {
  return sameJson(settingOf(one), settingOf(other));
}

/** A name or description that is not the old code's own; the server cannot tell where the code is the same. */
function kept(old: JsonRecord, fresh: JsonRecord, key: "display_name" | "description"): JsonRecord {
  const own = text(old[key]);
  const code = codeIn(old);
  const declared = literals(code, key);
  const renamed = declared.length > 0 ? !declared.includes(own) : code.trim() === codeIn(fresh).trim();
  return own !== "" && renamed ? { [key]: own } : {};
}

function codeIn(component: JsonRecord): string {
  return nodeCode({ data: { node: component } }) ?? "";
}

function literals(code: string, key: string): string[] {
  const found = code.matchAll(new RegExp(`^[ \\t]+${key}[ \\t]*(?::[^=\\n]*)?=[ \\t]*(["'])(.*)\\1[ \\t]*(?:#.*)?$`, "gm"));
  return [...found].map(([, , inside]) => inside ?? "");
}

/** An output of several types keeps the one that was chosen. */
function outputsOf(old: JsonRecord, fresh: JsonRecord): unknown {
  if (!Array.isArray(fresh.outputs)) return old.outputs ?? [];
  const before = arrayOr(old.outputs).map(recordOr);
  return fresh.outputs.map((item: unknown) => {
    const output = recordOr(item);
    const { selected } = before.find(({ name }) => name === output.name) ?? {};
    const offered = typeof selected === "string" && arrayOr(output.types).includes(selected);
    return offered ? { ...output, selected } : item;
  });
}

/** The wires of a node that are gone, as "Source · output → Target · input". */
export function lostWires(before: Flow, after: Flow, node: string): string[] {
  const key = (wire: Wire): string => JSON.stringify([wire.source, wire.sourcePort, wire.target, wire.targetPort]);
  const left = new Set((after.wiresOf.get(node) ?? []).map(key));
  return (before.wiresOf.get(node) ?? [])
    .filter((wire) => !left.has(key(wire)))
    .map((wire) => `${portName(before, wire.source, wire.sourcePort)} → ${portName(before, wire.target, wire.targetPort)}`);
}

function portName(flow: Flow, id: string, port: string): string {
  const node = flow.byId.get(id);
  const label = node?.ports.find((one) => one.id === port)?.label ?? humanise(port.slice(port.indexOf(":") + 1));
  return [node?.title ?? id, label].filter((part) => part !== "").join(" · ");
}
