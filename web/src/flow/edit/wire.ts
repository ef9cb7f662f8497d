import type { Edit, ServerEdit } from "./edits";
import type { Change, Patch } from "./patch";
import { isRecord, text, type JsonRecord } from "../json";

/** The edit as the server reads it; one that only the canvas knows becomes the steps it came down to. */
export function toServer(edit: Edit, patch: Patch): JsonRecord {
  if (isServerEdit(edit)) return { ...edit };
  return { op: "patch", changes: patch.changes.map(changeToServer) };
}

const SERVER: ReadonlySet<string> = new Set<ServerEdit["op"]>([
  "add",
  "remove",
  "connect",
  "disconnect",
  "configure",
  "set_flow",
  "select_output",
  "connection_mode",
  "tool_mode",
  "move",
  "note",
]);

function isServerEdit(edit: Edit): boolean {
  // The server chooses the ids of what it adds, so what was added here goes as it is.
  if (edit.op === "add") return edit.id !== undefined;
  if (edit.op === "note") return edit.node !== undefined;
  return SERVER.has(edit.op);
}

/** A step with its JSON as text. */
function changeToServer(change: Change): JsonRecord {
  if (change.change === "replace")
    return { change: "replace", from: JSON.stringify(change.from), to: JSON.stringify(change.to) };
  if (change.change !== "set")
    return { change: change.change, index: change.index, text: JSON.stringify(change.item) };
  const { node, path, from, to, place } = change;
  const value = from === undefined ? to : from;
  return {
    change: "set",
    node,
    path,
    ...(from === undefined ? {} : { from: JSON.stringify(from) }),
    ...(to === undefined ? {} : { to: JSON.stringify(to) }),
    ...(place === undefined ? {} : { cut: cutText(place, path, value) }),
  };
}

// With the comma that stands before every member but the first; the server sees to the rest.
function cutText(index: number, path: readonly string[], value: unknown): JsonRecord {
  const member = `${JSON.stringify(path.at(-1) ?? "")}:${JSON.stringify(value)}`;
  return { index, text: index === 0 ? member : `,${member}` };
}

/** A patch of the server's with its JSON read; null when it is none. */
export function patchFromServer(value: unknown): Patch | null {
  if (!isRecord(value) || !Array.isArray(value.changes)) return null;
  const changes = value.changes.map(changeFromServer);
  return changes.every((change) => change !== null) ? { changes } : null;
}

function changeFromServer(value: unknown): Change | null {
  if (!isRecord(value)) return null;
  try {
    switch (value.change) {
      case "replace": {
        const from = parsedRecord(value.from);
        const to = parsedRecord(value.to);
        return from && to && { change: "replace", from, to };
      }
      case "insert_node":
      case "remove_node":
      case "insert_wire":
      case "remove_wire": {
        const item = parsedRecord(value.text);
        return typeof value.index === "number" && item
          ? { change: value.change, index: value.index, item }
          : null;
      }
      case "set": {
        if (typeof value.node !== "string" || !Array.isArray(value.path)) return null;
        const cut = isRecord(value.cut) && typeof value.cut.index === "number" ? value.cut.index : null;
        return {
          change: "set",
          node: value.node,
          path: value.path.map(text),
          ...(typeof value.from === "string" ? { from: JSON.parse(value.from) as unknown } : {}),
          ...(typeof value.to === "string" ? { to: JSON.parse(value.to) as unknown } : {}),
          ...(cut === null ? {} : { place: cut }),
        };
      }
      default:
        return null;
    }
  } catch {
    return null;
  }
}

function parsedRecord(value: unknown): JsonRecord | null {
  const parsed: unknown = typeof value === "string" ? JSON.parse(value) : null;
  return isRecord(parsed) ? parsed : null;
}
