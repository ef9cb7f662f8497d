import { arrayOr, finite, isRecord, recordOr, strings, text, textOrNull } from "./json";

export type Step =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string; duration: number | null }
  | {
      kind: "tool";
      name: string;
      input: unknown;
      output: unknown;
      error: unknown;
      /** Milliseconds; null while it is being used. */
      duration: number | null;
    }
  | { kind: "error"; problem: RunProblem };

/** Why a node, or the whole run, did not go well. */
export interface RunProblem {
  node: string | null;
  component: string;
  field: string | null;
  reason: string;
  solution: string;
}

export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** US dollars; null where no price is known. */
  cost: number | null;
}

export interface ChatMessage {
  id: string;
  runId: string | null;
  fromPerson: boolean;
  name: string;
  text: string;
  files: string[];
  at: string;
  /** Still being written. */
  partial: boolean;
  edited: boolean;
  isOutput: boolean;
  /** The offline rehearsal wrote it, not a model. */
  rehearsed: boolean;
  /** The node it comes from. */
  source: string | null;
  steps: Step[];
  usage: Usage | null;
  /** Milliseconds. */
  duration: number | null;
  /** Thumbs up or down. */
  liked: boolean | null;
  raw: object;
}

const known = new WeakMap<object, ChatMessage>();

/** A message as the server sends it. The same object gives the same message, so that only what changed is drawn. */
export function parseMessage(raw: unknown): ChatMessage | null {
  if (!isRecord(raw)) return null;
  const before = known.get(raw);
  if (before) return before;
  const id = textOrNull(raw.id);
  if (id === null) return null;
  const properties = recordOr(raw.properties);
  const source = recordOr(properties.source);
  const message: ChatMessage = {
    id,
    runId: textOrNull(raw.run_id),
    fromPerson: raw.sender === "User",
    name: text(raw.sender_name),
    text: text(raw.text),
    files: strings(raw.files),
    at: isoTime(text(raw.timestamp)),
    partial: properties.state === "partial",
    edited: raw.edit === true,
    isOutput: raw.is_output === true,
    rehearsed: source.source === "rehearsal",
    source: textOrNull(source.id),
    steps: stepsOf(arrayOr(raw.content_blocks), textOrNull(source.id)),
    usage: usageOf(properties.usage),
    duration: finite(raw.duration) ?? finite(properties.build_duration),
    liked: typeof properties.positive_feedback === "boolean" ? properties.positive_feedback : null,
    raw,
  };
  known.set(raw, message);
  return message;
}

export function parseMessages(list: readonly unknown[]): ChatMessage[] {
  return list.flatMap((raw) => parseMessage(raw) ?? []);
}

/** `2027-01-31 12:00:00.000000 UTC`, which only some browsers read, as a time that all do. */
function isoTime(stamp: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?: UTC|Z)?$/.exec(stamp);
  return match ? `${match[1]}T${match[2]}${match[3] ?? ""}Z` : stamp;
}

/** Blocks in the order things happened, whether they come as a list or folded into groups. */
function stepsOf(blocks: readonly unknown[], node: string | null): Step[] {
  return blocks.flatMap((block): Step[] => {
    if (!isRecord(block)) return [];
    switch (block.type) {
      case "text":
        return text(block.text).trim() === "" ? [] : [{ kind: "text", text: text(block.text) }];
      case "reasoning":
        return [{ kind: "reasoning", text: text(block.text), duration: finite(block.duration) }];
      case "tool_use":
        return [
          {
            kind: "tool",
            name: text(block.name),
            input: block.tool_input ?? block.input ?? null,
            output: block.output ?? null,
            error: block.error ?? null,
            duration: finite(block.duration),
          },
        ];
      case "error":
        return [{ kind: "error", problem: problemOf(block, node) }];
      default:
        return stepsOf(arrayOr(block.contents), node);
    }
  });
}

function problemOf(block: Record<string, unknown>, node: string | null): RunProblem {
  return {
    node,
    component: text(block.component),
    field: textOrNull(block.field),
    reason: text(block.reason),
    solution: text(block.solution),
  };
}

/** What an `error` event says: a message whose blocks hold the error, or a bare sentence. */
export function problemOfEvent(data: unknown): RunProblem {
  const message = parseMessage(data);
  const found = message?.steps.find((step) => step.kind === "error");
  if (found?.kind === "error") return found.problem;
  const record = recordOr(data);
  return {
    node: null,
    component: message?.name ?? "",
    field: null,
    reason: text(record.text) || text(record.error),
    solution: "",
  };
}

function usageOf(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const nano = finite(value.cost_nanousd);
  return {
    input: finite(value.input_tokens) ?? 0,
    output: finite(value.output_tokens) ?? 0,
    cached: finite(value.cached_tokens) ?? 0,
    reasoning: finite(value.reasoning_tokens) ?? 0,
    cost: nano === null ? null : nano / 1e9,
  };
}

/**
 * What stands above the answer. The answer is the message's text: a person may have changed it, and the blocks
 * still say what the model said, so text that is the answer is left out here.
 */
export function stepsAbove(message: ChatMessage): Step[] {
  const lastText = message.steps.findLastIndex((step) => step.kind === "text");
  const lastTool = message.steps.findLastIndex((step) => step.kind === "tool");
  return message.steps.filter((step, index) => {
    if (step.kind === "error") return false;
    if (step.kind !== "text") return true;
    if (index === lastText && index > lastTool) return false;
    return !message.text.includes(step.text.trim());
  });
}

/** Why the answer ended where it does: stands below it. */
export function stepsBelow(message: ChatMessage): Step[] {
  return message.steps.filter((step) => step.kind === "error");
}
