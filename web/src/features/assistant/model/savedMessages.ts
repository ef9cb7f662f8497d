import { arrayOr, finite, isRecord, type JsonRecord, strings, text, textOrNull } from "@/flow/json";
import { countOf, readDetail, readEnding, textOf } from "./completed";
import { isStep } from "./events";
import { newAnswer } from "./messages";
import type {
  AssistantMessage,
  BuildTask,
  ComponentResult,
  FieldEdit,
  LocalMessage,
  Message,
  PlanCard,
  Proposal,
  ToolUse,
  WrittenFile,
} from "./types";

/** Reads a message that was kept, perhaps by another version of the page; what is odd about it is left out. */
export function readMessage(value: unknown): Message[] {
  if (!isRecord(value)) return [];
  const id = textOrNull(value.id);
  const at = finite(value.at) ?? 0;
  if (id === null) return [];
  switch (value.role) {
    case "user":
      return typeof value.text === "string" ? [{ id, role: "user", text: value.text, at }] : [];
    case "local": {
      const note = readNote(value.note);
      return note ? [{ id, role: "local", note, at }] : [];
    }
    case "assistant":
      return [readAnswer(id, at, value)];
    default:
      return [];
  }
}

const among = <T extends string>(value: unknown, ...words: T[]): T | null =>
  words.find((word) => word === value) ?? null;

function readNote(value: unknown): LocalMessage["note"] | null {
  if (!isRecord(value)) return null;
  const command = among(value.command, "history", "iterations");
  switch (value.kind) {
    case "skipAll":
      return typeof value.on === "boolean" ? { kind: "skipAll", on: value.on } : null;
    case "history":
    case "iterations":
      return { kind: value.kind, limit: finite(value.limit) };
    case "usage":
      return command && { kind: "usage", command };
    default:
      return null;
  }
}

function readAnswer(id: string, at: number, value: JsonRecord): AssistantMessage {
  const status = among(value.status, "complete", "error", "cancelled") ?? "cancelled";
  return {
    ...newAnswer(id, at),
    status,
    content: text(value.content),
    done: arrayOr(value.done).filter(isStep),
    working: status === "error" ? readWorking(value.working) : null,
    tasks: arrayOr(value.tasks).flatMap(readTask),
    component: readComponent(value.component),
    plan: readPlan(value.plan),
    proposal: readProposal(value.proposal),
    preview: readPreview(value.preview),
    edits: arrayOr(value.edits).flatMap(readEdit),
    files: arrayOr(value.files).flatMap(readFile),
    failure: isRecord(value.failure)
      ? { message: text(value.failure.message), detail: readDetail(value.failure.detail) }
      : null,
    ending: isRecord(value.ending) ? readEnding(value.ending) : null,
    restore: readRestore(value.restore),
    continued: value.continued === true,
    hidden: value.hidden === true,
  };
}

function readWorking(value: unknown): ToolUse | null {
  if (!isRecord(value) || typeof value.tool !== "string") return null;
  return {
    tool: value.tool,
    label: text(value.label) || value.tool,
    componentType: textOf(value.componentType),
    nodes: strings(value.nodes),
    field: textOf(value.field),
  };
}

function readTask(value: unknown): BuildTask[] {
  if (!isRecord(value) || typeof value.key !== "string") return [];
  const action = among(
    value.action,
    "add",
    "remove",
    "connect",
    "disconnect",
    "configure",
    "rename",
    "tool_mode",
  );
  if (!action) return [];
  return [
    {
      action,
      key: value.key,
      componentId: textOf(value.componentId),
      componentType: textOf(value.componentType),
      sourceId: textOf(value.sourceId),
      targetId: textOf(value.targetId),
      detail: textOf(value.detail),
    },
  ];
}

function readComponent(value: unknown): ComponentResult | null {
  if (!isRecord(value) || typeof value.code !== "string" || typeof value.validated !== "boolean") return null;
  return {
    className: text(value.className),
    code: value.code,
    validated: value.validated,
    error: textOf(value.error),
    attempts: finite(value.attempts),
    gate: "shown",
  };
}

function readPlan(value: unknown): PlanCard | null {
  if (!isRecord(value) || typeof value.markdown !== "string") return null;
  // A plan of an earlier visit is not approved later: the server forgot it.
  return { markdown: value.markdown, status: value.status === "approved" ? "approved" : "dismissed" };
}

function readProposal(value: unknown): Proposal | null {
  if (!isRecord(value) || !isRecord(value.flow)) return null;
  return {
    flow: value.flow,
    name: text(value.name),
    nodes: countOf(value.nodes),
    edges: countOf(value.edges),
    tail: [],
    status: value.status === "applied" ? "applied" : "dismissed",
    mode: among(value.mode, "add", "replace"),
    revertible: false,
  };
}

function readPreview(value: unknown): AssistantMessage["preview"] {
  if (!isRecord(value) || !isRecord(value.flow)) return null;
  const { flow, name, nodes, edges } = value;
  return { flow, name: text(name), nodes: countOf(nodes), edges: countOf(edges) };
}

function readEdit(value: unknown): FieldEdit[] {
  if (!isRecord(value)) return [];
  const { id, componentId, field } = value;
  if (typeof id !== "string" || typeof componentId !== "string" || typeof field !== "string") return [];
  return [
    {
      id,
      componentId,
      componentType: text(value.componentType),
      field,
      oldValue: value.oldValue ?? null,
      newValue: value.newValue ?? null,
      description: text(value.description),
      status: among(value.status, "applied", "dismissed", "withdrawn", "failed") ?? "dismissed",
    },
  ];
}

function readFile(value: unknown): WrittenFile[] {
  if (!isRecord(value) || typeof value.path !== "string" || value.path === "") return [];
  const action = among(value.action, "write_file", "edit_file") ?? "write_file";
  return [{ path: value.path, size: countOf(value.size), content: textOf(value.content), action }];
}

function readRestore(value: unknown): AssistantMessage["restore"] {
  const version = isRecord(value) ? textOrNull(value.version) : null;
  return version && isRecord(value) ? { version, reverted: value.reverted === true } : null;
}
