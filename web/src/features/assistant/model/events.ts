import { finite, isRecord, type JsonRecord, text } from "@/flow/json";
import { countOf, readCompleted, readDetail, textOf } from "./completed";
import type { AssistEvent, FlowUpdate, StepName } from "./types";

const STEPS: Record<StepName, true> = {
  generating: true,
  generating_component: true,
  generating_plan: true,
  generating_flow: true,
  orchestrating: true,
  generation_complete: true,
  extracting_code: true,
  validating: true,
  validated: true,
  validation_failed: true,
  retrying: true,
  searching_components: true,
  building_flow: true,
  flow_built: true,
  flow_build_failed: true,
  flow_proposal_ready: true,
  generating_document: true,
  document_ready: true,
  verifying: true,
};

export function isStep(value: unknown): value is StepName {
  return typeof value === "string" && Object.hasOwn(STEPS, value);
}

/** What came over the wire, or a warning for the console: a server may be newer than the page, and a stream may be cut anywhere. */
export function readEvent(data: string): { event: AssistEvent } | { warning: string } {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { warning: "An event of the assistant is not JSON." };
  }
  if (!isRecord(value)) return { warning: "An event of the assistant is not an object." };
  const kind = text(value.event);
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind as AssistEvent["event"]] : null;
  if (!reader) return { warning: `The assistant sent an event of an unknown kind: ${shown(value.event)}` };
  const event = reader(value);
  if (event) return { event };
  const action = kind === "flow_update" ? ` (${shown(value.action)})` : "";
  return { warning: `The assistant sent an event that cannot be understood: ${kind}${action}` };
}

/** A word of the server, short enough for the console. */
function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 60) : typeof value;
}

/** Counted from one. */
function ordinal(value: unknown): number {
  return Math.max(1, Math.round(finite(value) ?? 1));
}

type Reader = (value: JsonRecord) => AssistEvent | null;

const READERS: Record<AssistEvent["event"], Reader> = {
  progress: (value) => {
    if (!isStep(value.step)) return null;
    const attempt = ordinal(value.attempt);
    return {
      event: "progress",
      step: value.step,
      attempt,
      max_attempts: Math.max(attempt, ordinal(value.max_attempts)),
      message: textOf(value.message),
      error: textOf(value.error),
      class_name: textOf(value.class_name),
      component_code: textOf(value.component_code),
    };
  },
  token: ({ chunk }) => (typeof chunk === "string" ? { event: "token", chunk } : null),
  tool_start: (value) => {
    if (typeof value.tool !== "string") return null;
    return {
      event: "tool_start",
      tool: value.tool,
      label: text(value.label) || value.tool,
      component_type: textOf(value.component_type),
      component_id: textOf(value.component_id),
      source_id: textOf(value.source_id),
      target_id: textOf(value.target_id),
      field: textOf(value.field),
      template_name: textOf(value.template_name),
    };
  },
  flow_update: (value) => {
    const update = readUpdate(value);
    return update && { event: "flow_update", ...update };
  },
  flow_preview: (value) => {
    if (!isRecord(value.flow)) return null;
    return {
      event: "flow_preview",
      flow: value.flow,
      name: text(value.name),
      node_count: countOf(value.node_count),
      edge_count: countOf(value.edge_count),
      graph: text(value.graph),
    };
  },
  file_written: (value) => {
    const { action, path } = value;
    if ((action !== "write_file" && action !== "edit_file") || typeof path !== "string" || path === "") return null;
    return { event: "file_written", action, path, size: countOf(value.size), content: textOf(value.content) };
  },
  complete: ({ data }) => (isRecord(data) ? { event: "complete", data: readCompleted(data) } : null),
  error: ({ message, detail }) =>
    typeof message === "string" ? { event: "error", message, detail: readDetail(detail) } : null,
  cancelled: ({ message }) => ({ event: "cancelled", message: textOf(message) }),
};

/** A change of the canvas with all its pieces, or null. */
function readUpdate(value: JsonRecord): FlowUpdate | null {
  const action = text(value.action);
  const reader = Object.hasOwn(UPDATES, action) ? UPDATES[action as FlowUpdate["action"]] : null;
  return reader ? reader(value) : null;
}

const named = (value: unknown): value is string => typeof value === "string" && value !== "";
const records = (value: unknown): value is JsonRecord[] => Array.isArray(value) && value.every(isRecord);

const UPDATES: Record<FlowUpdate["action"], (value: JsonRecord) => FlowUpdate | null> = {
  add_component: ({ node }) =>
    isRecord(node) && named(node.id) ? { action: "add_component", node } : null,
  remove_component: ({ component_id }) =>
    named(component_id) ? { action: "remove_component", component_id } : null,
  connect: ({ edge }) =>
    isRecord(edge) && named(edge.source) && named(edge.target) ? { action: "connect", edge } : null,
  configure: ({ component_id, params }) =>
    named(component_id) && isRecord(params) ? { action: "configure", component_id, params } : null,
  set_flow: ({ flow, auto_apply }) =>
    isRecord(flow) && isRecord(flow.data) && records(flow.data.nodes)
      ? { action: "set_flow", flow, auto_apply: auto_apply === true }
      : null,
  edit_field: (value) => {
    const { id, component_id, field } = value;
    if (!named(id) || !named(component_id) || !named(field) || value.new_value === undefined) return null;
    return {
      action: "edit_field",
      id,
      component_id,
      component_type: text(value.component_type),
      field,
      old_value: value.old_value ?? null,
      new_value: value.new_value,
      description: text(value.description),
      patch: records(value.patch) ? value.patch : [],
    };
  },
  propose_plan: ({ markdown }) =>
    named(markdown) && markdown.trim() !== "" ? { action: "propose_plan", markdown } : null,
  select_output: ({ component_id, output_name }) =>
    named(component_id) && named(output_name) ? { action: "select_output", component_id, output_name } : null,
  set_connection_mode: ({ component_id, enabled }) =>
    named(component_id) && typeof enabled === "boolean"
      ? { action: "set_connection_mode", component_id, enabled }
      : null,
  enable_tool_mode: ({ component_id, outputs }) =>
    named(component_id) && records(outputs) ? { action: "enable_tool_mode", component_id, outputs } : null,
  disconnect: ({ source_id, target_id, source_output, target_input }) =>
    named(source_id) && named(target_id)
      ? {
          action: "disconnect",
          source_id,
          target_id,
          source_output: textOf(source_output),
          target_input: textOf(target_input),
        }
      : null,
  rename_component: ({ component_id, name }) =>
    named(component_id) && typeof name === "string" ? { action: "rename_component", component_id, name } : null,
  update_fields: ({ component_id, fields }) =>
    named(component_id) && isRecord(fields) ? { action: "update_fields", component_id, fields } : null,
  update_outputs: ({ component_id, outputs }) =>
    named(component_id) && records(outputs) ? { action: "update_outputs", component_id, outputs } : null,
  // Never leaves the server; whoever sends it has nothing to show.
  flow_ran: () => null,
};
