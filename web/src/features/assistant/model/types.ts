import type { components } from "@/api/__generated__/schema";
import type { JsonRecord } from "@/flow/json";

type Schema = components["schemas"];

/** What the server tells during a turn. */
export type AssistEvent = Schema["AssistEvent"];
export type FlowUpdate = Schema["AssistUpdate"];
export type Completed = Schema["AssistCompleted"];
export type ErrorDetail = Schema["AssistErrorDetail"];
export type StepName = Schema["AssistStep"];
export type Notice = Schema["AssistNotice"];
export type AssistantConfig = Schema["AssistantConfig"];

export interface ModelChoice {
  provider: string;
  name: string;
}

/** Where the turn is. */
export interface Progress {
  step: StepName;
  attempt: number;
  maxAttempts: number;
  message: string | null;
  error: string | null;
  className: string | null;
  code: string | null;
}

/** The tool that is at work; nobody says when it has ended, the next event does. */
export interface ToolUse {
  tool: string;
  label: string;
  componentType: string | null;
  /** Ids of nodes it is about, as far as they are ids: a model may have used other words. */
  nodes: string[];
  field: string | null;
}

export interface PlanCard {
  markdown: string;
  status: "pending" | "approved" | "refining" | "dismissed";
}

/** A whole flow that waits to be taken. */
export interface Proposal {
  /** `{name, description, data}` as the server sent it. */
  flow: JsonRecord;
  name: string;
  nodes: number;
  edges: number;
  /** What came after it, in order: done right behind it. */
  tail: FlowUpdate[];
  status: "pending" | "applied" | "dismissed";
  /** How it was last taken. */
  mode: "add" | "replace" | null;
  /** It was taken at least once and can be taken back. */
  revertible: boolean;
}

/** One field that is to get another value. */
export interface FieldEdit {
  id: string;
  componentId: string;
  componentType: string;
  field: string;
  oldValue: unknown;
  newValue: unknown;
  description: string;
  /** `withdrawn`: the assistant took it back; `failed`: its node or field is no longer there. */
  status: "pending" | "applied" | "dismissed" | "withdrawn" | "failed";
}

/** A row of the list of what was done to the canvas. */
export interface BuildTask {
  action: "add" | "remove" | "connect" | "disconnect" | "configure" | "rename" | "tool_mode";
  /** Rows with the same key are one row. */
  key: string;
  componentId: string | null;
  componentType: string | null;
  sourceId: string | null;
  targetId: string | null;
  /** Of a rename: the new name; of a configure: the fields. */
  detail: string | null;
}

export interface WrittenFile {
  path: string;
  size: number;
  /** Null where it did not come along: it is fetched when it is opened. */
  content: string | null;
  action: "write_file" | "edit_file";
}

/** A component that was written, or that was not to be had. */
export interface ComponentResult {
  className: string;
  code: string;
  validated: boolean;
  error: string | null;
  attempts: number | null;
  /** `ready`: the gate before the card; `shown`: the card; `added`: for three seconds after it was put on the canvas. */
  gate: "ready" | "shown" | "added";
}

export interface Failure {
  message: string;
  detail: ErrorDetail | null;
}

/** What is worth keeping of how a turn ended. */
export type Ending = Omit<Completed, "result" | "component_code">;

export interface PersonMessage {
  id: string;
  role: "user";
  /** In the person's own words, whatever was sent. */
  text: string;
  at: number;
}

/** What a command said: nobody was asked. */
export interface LocalMessage {
  id: string;
  role: "local";
  note:
    | { kind: "skipAll"; on: boolean }
    | { kind: "history"; limit: number | null }
    | { kind: "iterations"; limit: number | null }
    /** The argument cannot be understood. */
    | { kind: "usage"; command: "history" | "iterations" };
  at: number;
}

export interface AssistantMessage {
  id: string;
  role: "assistant";
  at: number;
  status: "streaming" | "complete" | "error" | "cancelled";
  content: string;
  progress: Progress | null;
  /** Steps that are behind it, in order, each once. */
  done: StepName[];
  working: ToolUse | null;
  tasks: BuildTask[];
  component: ComponentResult | null;
  plan: PlanCard | null;
  proposal: Proposal | null;
  /** Only to be looked at: secrets are taken out of it. */
  preview: { name: string; nodes: number; edges: number; flow: JsonRecord } | null;
  edits: FieldEdit[];
  files: WrittenFile[];
  failure: Failure | null;
  ending: Ending | null;
  /** The version from before the turn. */
  restore: { version: string; reverted: boolean } | null;
  /** The continuation behind its edits was sent. */
  continued: boolean;
  /** Nothing of it is shown. */
  hidden: boolean;
  /** What was sent for it last, to be sent again when that fails. Not kept beyond the visit. */
  asked?: Asked;
}

/** The part of a request that is the same when it is made again. */
export type Asked = Pick<TurnRequest, "input" | "component">;

export type Message = PersonMessage | LocalMessage | AssistantMessage;

/** A stream that is open. Events of any other are late and count for nothing. */
export interface Turn {
  id: string;
  /** The message it fills. */
  message: string;
  /** Skip-all: the plan came and is approved as soon as this stream is over. */
  approve: boolean;
  /** That plan: shown after all when skip-all was switched off meanwhile. */
  plan: string | null;
  /** What it was asked with; what follows by itself is asked likewise. */
  request: TurnRequest;
  /** What the message said before this stream. */
  before: string;
  /** How the stream before this one in the same message ended, where nobody saw the seam. */
  earlier: Ending | null;
  /** A whole flow came that was not applied: what comes after it belongs to it. */
  proposed: boolean;
  /** The plan of this stream was approved before the stream was over: the approval is sent then. */
  approval: { model: ModelChoice | null; ids: SendIds; at: number } | null;
}

export interface ChatState {
  flowId: string;
  sessionId: string;
  messages: readonly Message[];
  turn: Turn | null;
  skipAll: boolean;
  /** Null: what the server thinks right. */
  historyLimit: number | null;
  iterationsLimit: number | null;
  /** The plan that was set aside: it is quoted before the next thing the person says, once. */
  refining: { message: string; markdown: string } | null;
}

/** What is sent. */
export interface TurnRequest {
  input: string;
  sessionId: string;
  model: ModelChoice | null;
  historyLimit: number | null;
  iterationsLimit: number | null;
  component: { id: string; field: string | null } | null;
}

export type Action =
  /** `id`s come with the action: the reducer makes none. */
  | { type: "send"; text: string; model: ModelChoice | null; selected: string | null; ids: SendIds; at: number }
  | { type: "event"; turn: string; event: AssistEvent }
  /** The stream ended without `complete`: cut, refused, or silent. */
  | { type: "ended"; turn: string; failure: Failure | null }
  | { type: "stop" }
  | { type: "retry"; message: string; model: ModelChoice | null; ids: SendIds; at: number }
  | { type: "plan"; message: string; do: "approve" | "dismiss" | "reset"; model: ModelChoice | null; ids: SendIds; at: number }
  | { type: "proposal"; message: string; do: "add" | "replace" | "dismiss" | "revert" }
  /** The canvas took it, or did not. */
  | { type: "proposalApplied"; message: string; mode: "add" | "replace"; ok: boolean }
  | { type: "proposalReverted"; message: string }
  | { type: "edit"; message: string; edit: string | "all"; do: "accept" | "dismiss"; model: ModelChoice | null; ids: SendIds; at: number }
  /** The canvas could not take this change: no row says that it was made. */
  | { type: "notApplied"; message: string; update: FlowUpdate }
  /** The canvas could not take this edit. */
  | { type: "editFailed"; message: string; edit: string }
  | { type: "component"; message: string; do: "continue" | "added" | "settle" }
  | { type: "settleProposal"; message: string }
  | { type: "fileRead"; message: string; path: string; content: string }
  /** `undone`: what the turn made is back after all. */
  | { type: "reverted"; message: string; undone?: true }
  | { type: "newSession"; sessionId: string }
  | { type: "loadSession"; sessionId: string; messages: readonly Message[] }
  | { type: "mounted" }
  | { type: "setSkipAll"; on: boolean };

/** Ids for what an action may make: the person's message, the answer, the stream. */
export interface SendIds {
  person: string;
  answer: string;
  turn: string;
}

/** What has to happen outside: done in order by whoever holds the state. */
export type Effect =
  /** Saves the flow as it is shown, then asks; events come back as actions with this turn. */
  | { do: "stream"; turn: string; request: TurnRequest }
  | { do: "abort"; turn: string }
  /** One change for the canvas; all of a message are one step of undo. */
  | { do: "apply"; message: string; update: FlowUpdate }
  | { do: "applyProposal"; message: string; mode: "add" | "replace"; flow: JsonRecord; tail: FlowUpdate[] }
  | { do: "revertProposal"; message: string }
  | { do: "applyEdit"; message: string; edit: FieldEdit }
  | { do: "resetSession"; sessionId: string }
  | { do: "later"; ms: number; action: Action }
  /** Keeps the session, or one of the choices, for the next visit. `of`: the state that is meant, where it was just left for another. */
  | { do: "keep"; what: "session" | "skipAll" | "historyLimit" | "iterationsLimit"; of?: ChatState }
  /** The sent text joins the history of the input. */
  | { do: "remember"; text: string }
  /** Counts something on the server, by the name of its metric. */
  | { do: "count"; name: string }
  /** For the console: something came that nobody understands. */
  | { do: "warn"; text: string };

export interface Reduced {
  state: ChatState;
  effects: Effect[];
}
