import { onComplete } from "./ending";
import { withAnswer } from "./messages";
import { endEarly, KEEP, unchanged, underWay } from "./turn";
import { onUpdate } from "./updates";
import type { Action, AssistantMessage, AssistEvent, ChatState, Progress, Reduced, StepName, ToolUse, WrittenFile } from "./types";

/** What came over the open stream. Other streams are late: nothing of them counts. */
export function onEvent(state: ChatState, { turn: id, event }: Extract<Action, { type: "event" }>): Reduced {
  const now = underWay(state);
  if (!now || now.turn.id !== id) return unchanged(state);
  const { turn } = now;
  const next = (answer: AssistantMessage): Reduced => ({ state: withAnswer(state, answer), effects: [] });
  if (event.event === "token") {
    // Behind a plan that nobody is asked about, words are about waiting.
    if (turn.approve || event.chunk === "") return unchanged(state);
    return next({ ...now.answer, content: now.answer.content + event.chunk });
  }
  if (event.event === "progress") return next(withProgress(now.answer, event, turn.before));
  if (event.event === "error") {
    const failure = { message: event.message, detail: event.detail ?? null };
    return { state: endEarly(state, "error", failure), effects: [KEEP] };
  }
  // Whatever else comes, the tool that was at work has ended.
  const answer = now.answer.working ? { ...now.answer, working: null } : now.answer;
  switch (event.event) {
    case "tool_start":
      return next({ ...answer, working: toolUse(event) });
    case "flow_update": {
      const { event: _kind, ...update } = event;
      return onUpdate(state, turn, answer, update);
    }
    case "flow_preview": {
      const { flow, name, node_count: nodes, edge_count: edges } = event;
      return next({ ...answer, preview: { flow, name, nodes, edges } });
    }
    case "file_written":
      return next({ ...answer, files: withFile(answer.files, event) });
    case "complete":
      return onComplete(state, turn, answer, event.data);
    case "cancelled":
      return { state: endEarly(state, "cancelled", null), effects: [KEEP] };
    default:
      return unchanged(state);
  }
}

type Of<Kind extends AssistEvent["event"]> = Extract<AssistEvent, { event: Kind }>;

/** With these the last failure is over: until then it says why there is another attempt. */
const ANSWERED: ReadonlySet<StepName> = new Set(["validating", "validated", "verifying", "flow_built", "flow_proposal_ready"]);

function withProgress(answer: AssistantMessage, event: Of<"progress">, before: string): AssistantMessage {
  const last = answer.progress;
  const progress: Progress = {
    step: event.step,
    attempt: event.attempt,
    maxAttempts: event.max_attempts,
    message: event.message ?? null,
    error: event.error ?? (ANSWERED.has(event.step) ? null : (last?.error ?? null)),
    className: event.class_name ?? last?.className ?? null,
    code: event.component_code ?? last?.code ?? null,
  };
  const done: StepName[] =
    last && last.step !== event.step && !answer.done.includes(last.step)
      ? [...answer.done, last.step]
      : answer.done;
  return { ...answer, progress, done, content: event.step === "retrying" ? before : answer.content };
}

function toolUse(event: Of<"tool_start">): ToolUse {
  const ids = [event.component_id, event.source_id, event.target_id].filter((id) => typeof id === "string");
  return {
    tool: event.tool,
    label: event.label,
    componentType: event.component_type ?? null,
    nodes: [...new Set(ids.filter((id) => id !== ""))],
    field: event.field ?? null,
  };
}

/** One card for each file, however often it is written. */
function withFile(files: WrittenFile[], event: Of<"file_written">): WrittenFile[] {
  const { path, size, action } = event;
  const file: WrittenFile = { path, size, action, content: event.content ?? null };
  const index = files.findIndex((other) => other.path === path);
  return index === -1 ? [...files, file] : files.with(index, file);
}
