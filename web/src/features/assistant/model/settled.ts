import { isRecord, type JsonRecord, recordOr } from "@/flow/json";
import { left } from "./leaving";
import type { AssistantMessage, ErrorDetail, Message } from "./types";

/** Beyond this a file is fetched again when somebody opens it. */
const LONGEST_FILE = 20_000;
/** Beyond this nobody would recognise the flow in a miniature. */
const MOST_NODES = 60;

/** Messages of a talk that nobody is in: nothing runs, nothing waits, no id twice. */
export function settledMessages(messages: readonly Message[]): Message[] {
  const seen = new Set<string>();
  return messages.flatMap((message) => {
    if (seen.has(message.id)) return [];
    seen.add(message.id);
    return [message.role === "assistant" ? settled(message) : message];
  });
}

function settled(message: AssistantMessage): AssistantMessage {
  const { asked: _asked, ...answer } = left(message);
  const { plan, proposal, preview, component, failure } = answer;
  const streaming = answer.status === "streaming";
  return {
    ...answer,
    status: streaming ? "cancelled" : answer.status,
    progress: null,
    working: answer.status === "error" ? answer.working : null,
    plan: plan?.status === "refining" ? { ...plan, status: "dismissed" } : plan,
    // What was on the canvas before it is not known any more: it cannot be taken back.
    proposal: proposal && { ...proposal, flow: slimFlow(proposal.flow), tail: [], revertible: false },
    preview: preview && { ...preview, flow: slimFlow(preview.flow) },
    component: component && { ...component, gate: "shown" },
    failure: failure && { ...failure, detail: withoutCause(failure.detail) },
    files: answer.files.map((file) =>
      file.content !== null && file.content.length > LONGEST_FILE ? { ...file, content: null } : file,
    ),
  };
}

/** The cause in the provider's own words is for those who run the server, and who looks into the browser later need not be one. */
function withoutCause(detail: ErrorDetail | null): ErrorDetail | null {
  if (!detail) return null;
  const { raw_cause: _, ...rest } = detail;
  return rest;
}

/** As much of a flow as a miniature needs: it is only looked at. */
function slimFlow(flow: JsonRecord): JsonRecord {
  const data = recordOr(flow.data);
  const nodes = Array.isArray(data.nodes) ? data.nodes.filter(isRecord) : [];
  const edges = Array.isArray(data.edges) ? data.edges.filter(isRecord) : [];
  if (nodes.length > MOST_NODES) return { name: flow.name, data: { nodes: [], edges: [] } };
  return { name: flow.name, data: { nodes: nodes.map(slimNode), edges: edges.map(slimEdge) } };
}

function slimNode({ id, type, position, width, height, data }: JsonRecord): JsonRecord {
  const inner = recordOr(data);
  const node = recordOr(inner.node);
  const { display_name, icon, outputs } = node;
  return {
    id,
    type,
    position,
    width,
    height,
    data: {
      id: inner.id,
      type: inner.type,
      node: { display_name, icon, outputs: slimOutputs(outputs), template: slimTemplate(node.template) },
    },
  };
}

function slimOutputs(outputs: unknown): JsonRecord[] {
  if (!Array.isArray(outputs)) return [];
  return outputs.filter(isRecord).map(({ name, display_name, types, selected }) => ({
    name,
    display_name,
    types,
    selected,
  }));
}

/** The fields that wires may end at; none of their values. */
function slimTemplate(template: unknown): JsonRecord {
  const fields = Object.entries(recordOr(template)).flatMap(([name, field]) => {
    const { type, display_name, input_types, show, advanced } = recordOr(field);
    const port = Array.isArray(input_types) && input_types.length > 0;
    return port ? [[name, { name, type, display_name, input_types, show, advanced }] as const] : [];
  });
  return Object.fromEntries(fields);
}

function slimEdge({ id, source, target, sourceHandle, targetHandle }: JsonRecord): JsonRecord {
  return { id, source, target, sourceHandle, targetHandle };
}
