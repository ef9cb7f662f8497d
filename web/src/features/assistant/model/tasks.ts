import { recordOr, text } from "@/flow/json";
import type { BuildTask, FlowUpdate } from "./types";

const key = (...parts: (string | null | undefined)[]): string => JSON.stringify(parts.map((part) => part ?? ""));

/** The row that tells of a change; null for changes that have none: their own cards tell of them, or another row does. */
export function taskOf(update: FlowUpdate): BuildTask | null {
  switch (update.action) {
    case "add_component": {
      const id = text(update.node.id);
      const data = recordOr(update.node.data);
      return { ...about("add", id), componentType: text(data.type) || null };
    }
    case "remove_component":
      return about("remove", update.component_id);
    case "connect": {
      const { source, target, sourceHandle, targetHandle } = update.edge;
      const ends = [text(source), text(target)] as const;
      return between("connect", ...ends, text(sourceHandle), text(targetHandle));
    }
    case "disconnect":
      return between(
        "disconnect",
        update.source_id,
        update.target_id,
        update.source_output,
        update.target_input,
      );
    case "configure":
      return { ...about("configure", update.component_id), detail: Object.keys(update.params).join(", ") };
    case "rename_component":
      return { ...about("rename", update.component_id), detail: update.name };
    case "enable_tool_mode":
      return about("tool_mode", update.component_id);
    default:
      return null;
  }
}

function about(action: BuildTask["action"], componentId: string): BuildTask {
  return {
    action,
    key: key(action, componentId),
    componentId,
    componentType: null,
    sourceId: null,
    targetId: null,
    detail: null,
  };
}

function between(
  action: BuildTask["action"],
  sourceId: string,
  targetId: string,
  output: string | null | undefined,
  input: string | null | undefined,
): BuildTask {
  return {
    action,
    key: key(action, sourceId, output, targetId, input),
    componentId: null,
    componentType: null,
    sourceId,
    targetId,
    detail: null,
  };
}

/** The later change undid the earlier one, so that the earlier one may come again. */
function undoes(later: BuildTask, earlier: BuildTask): boolean {
  const sameNode = later.componentId === earlier.componentId;
  const sameEnds = later.sourceId === earlier.sourceId && later.targetId === earlier.targetId;
  switch (earlier.action) {
    case "add":
      return later.action === "remove" && sameNode;
    case "remove":
      return later.action === "add" && sameNode;
    case "connect":
      if (later.action === "remove")
        return later.componentId === earlier.sourceId || later.componentId === earlier.targetId;
      return later.action === "disconnect" && sameEnds;
    case "disconnect":
      return later.action === "connect" && sameEnds;
    default:
      // Setting something twice does no harm.
      return true;
  }
}

export interface Told {
  tasks: BuildTask[];
  /** The very same was done already: a server that is careful says things twice. */
  repeated: boolean;
}

/** Puts a row to the others. Each thing has one row; one that was undone and done again moves to the end. */
export function tellTask(tasks: BuildTask[], task: BuildTask): Told {
  const index = tasks.findLastIndex((row) => row.key === task.key);
  const row = tasks[index];
  if (!row) return { tasks: [...tasks, task], repeated: false };
  if (row.action === "configure" || row.action === "rename" || row.action === "tool_mode") {
    const detail = row.action === "configure" ? joined(row.detail, task.detail) : task.detail;
    return { tasks: detail === row.detail ? tasks : tasks.with(index, { ...row, detail }), repeated: false };
  }
  if (!tasks.slice(index + 1).some((later) => undoes(later, row))) return { tasks, repeated: true };
  return { tasks: [...tasks.toSpliced(index, 1), task], repeated: false };
}

/** The rows without the one that tells of this change, unless that row tells of more than this. */
export function withoutTask(tasks: BuildTask[], update: FlowUpdate): BuildTask[] {
  const task = taskOf(update);
  const index = tasks.findLastIndex((row) => row.key === task?.key && row.detail === task.detail);
  return index < 0 ? tasks : tasks.toSpliced(index, 1);
}

function joined(before: string | null, after: string | null): string | null {
  const fields = [before, after].flatMap((list) => (list ? list.split(", ") : []));
  return [...new Set(fields)].join(", ") || null;
}
