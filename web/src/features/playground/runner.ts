import { oncePerFrame } from "@/stores/frames";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import type { MessageRead } from "@/api/types";
import type { Decision } from "@/api/workflows";
import { type ChatRun, newRun, parseRunEvent, reduceRun, type Replaces, type RunEvent, unfinishedOf } from "@/flow/chatRun";
import { type ChatMessage, parseMessages } from "@/flow/messages";
import {
  addToDraft,
  changeAttachments,
  chatOf,
  draftOf,
  runOf,
  setDraft,
  setEmptied,
  setFailure,
  setRun,
} from "./chatStore";
import { finishReplacing, rememberReplacing } from "./replacing";
import { chatKeys, type ChatSource, reloadMessages, type RunStream } from "./source";

export interface Said {
  text: string;
  files: { name: string; path: string }[];
}

/** A message that got no answer may have arrived all the same: sent again, it has the same key. */
const unsure = new Map<string, { said: string; key: string }>();

/** Says something, and follows the run that comes of it. What could not be sent is put back. */
export async function send(
  source: ChatSource,
  session: string,
  said: Said | null,
  replaces: Replaces | null = null,
): Promise<void> {
  const chat = chatOf(source, session);
  if (isGoing(runOf(chat))) return;
  const content = JSON.stringify([said, replaces]);
  const before = unsure.get(chat);
  const key = before?.said === content ? before.key : newKey();
  unsure.set(chat, { said: content, key });
  setFailure(chat, null);
  setEmptied(chat, false);
  if (!replaces) {
    setDraft(chat, "");
    changeAttachments(chat, () => []);
  }
  const files = said?.files.map((file) => file.path) ?? [];
  const pending = said && !replaces?.sameQuestion ? { text: said.text, files } : null;
  setRun(chat, newRun(Date.now(), pending, replaces));
  const control = new AbortController();
  takeOver(chat, control);
  try {
    const stream = await source.start({ session, input: said?.text, files, key }, control.signal);
    unsure.delete(chat);
    if (replaces && stream.jobId) rememberReplacing(chat, stream.jobId, replaces);
    await follow(source, session, stream, control);
  } catch (error) {
    if (control.signal.aborted) return;
    setRun(chat, null);
    setFailure(chat, error);
    if (!said || replaces?.sameQuestion) return;
    if (draftOf(chat) === "" || replaces) addToDraft(chat, said.text);
    if (replaces) return;
    changeAttachments(chat, (list) => [
      ...said.files.map(({ name, path }, index) => ({ id: -1 - index, name, path, progress: 1, error: null })),
      ...list,
    ]);
  }
}

/** `crypto.randomUUID` is missing where the page does not come over HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isGoing(run: ChatRun | null): boolean {
  return run !== null && run.phase !== "over";
}

const followed = new Map<string, AbortController>();

/** Only one run at a time is followed in a conversation. */
export function takeOver(chat: string, control: AbortController): void {
  followed.get(chat)?.abort();
  followed.set(chat, control);
}

const ended = { id: null, name: "end", data: null };

/** Follows a run to its end, through lost connections; then the kept messages take over. */
export async function follow(
  source: ChatSource,
  session: string,
  stream: RunStream,
  control: AbortController,
): Promise<void> {
  const chat = chatOf(source, session);
  const { runs } = source;
  const change = (how: (run: ChatRun) => ChatRun): void => {
    const run = runOf(chat);
    if (run && !control.signal.aborted) setRun(chat, how(run));
  };
  change((run) => ({ ...run, jobId: stream.jobId, phase: "going" }));
  const queue = oncePerFrame<RunEvent>((events) => {
    change((run) => events.reduce(reduceRun, run.phase === "lost" ? { ...run, phase: "going" } : run));
    if (events.some((event) => event.name !== "token")) keepTold(source, session);
  });
  let wait = 500;
  while (!control.signal.aborted && isGoing(runOf(chat))) {
    try {
      await stream.read(
        runOf(chat)?.lastEvent ?? null,
        (frames) => {
          wait = 500;
          queue.add(frames.flatMap((frame) => parseRunEvent(frame) ?? []));
        },
        control.signal,
      );
      queue.flush();
      if (isGoing(runOf(chat)) && (!runs || !stream.jobId || isOver((await runs.find(stream.jobId)).status))) {
        change((run) => reduceRun(run, ended));
      }
    } catch (error) {
      queue.flush();
      if (control.signal.aborted) return;
      const problem = asApiError(error);
      if (!runs || (problem.status > 0 && problem.status < 500)) {
        change((run) => ({ ...reduceRun(run, ended), outcome: "failed" }));
        setFailure(chat, error);
        break;
      }
      change((run) => ({ ...run, phase: "lost" }));
    }
    if (!isGoing(runOf(chat))) break;
    await new Promise((resume) => setTimeout(resume, wait));
    wait = Math.min(wait * 1.5, 5000);
  }
  if (!control.signal.aborted) await settle(source, session);
}

export function isOver(status: string): boolean {
  return !["queued", "running", "waiting"].includes(status);
}

/** Where no server keeps what a run tells, the page does. */
function keepTold(source: ChatSource, session: string): void {
  const run = runOf(chatOf(source, session));
  source.keep?.(session, (run?.messages ?? []).map(asRead));
}

/** With the words that came one by one. */
function asRead(message: ChatMessage): MessageRead {
  return { ...(message.raw as MessageRead), text: message.text };
}

/** Takes the messages from where they are kept; only when they are there does what the stream told go. */
export async function settle(source: ChatSource, session: string): Promise<void> {
  const chat = chatOf(source, session);
  keepTold(source, session);
  void queryClient.invalidateQueries({ queryKey: chatKeys.sessions(source) });
  try {
    const loaded = await reloadMessages(source, session);
    const run = runOf(chat);
    if (run?.phase !== "over") return;
    await finishReplacing(source, session, run, loaded);
    const now = runOf(chat);
    if (now?.phase !== "over" || now.jobId !== run.jobId) return;
    setRun(chat, { ...now, messages: unfinishedOf(parseMessages(loaded.messages), now), removed: [] });
  } catch {
    // What the stream told stays on the page until it can be asked for again.
  }
}

export async function stop(source: ChatSource, session: string): Promise<void> {
  const chat = chatOf(source, session);
  const run = runOf(chat);
  if (!run || run.stopping) return;
  if (!source.runs) {
    followed.get(chat)?.abort();
    setRun(chat, reduceRun(run, { id: null, name: "cancelled", data: null }));
    await settle(source, session);
    return;
  }
  if (!run.jobId) return;
  setRun(chat, { ...run, stopping: true });
  try {
    await source.runs.stop(run.jobId);
  } catch (error) {
    const now = runOf(chat);
    if (now) setRun(chat, { ...now, stopping: false });
    throw error;
  }
}

export async function decide(
  source: ChatSource,
  session: string,
  question: { requestId: string; jobId: string | null },
  decision: Decision,
): Promise<void> {
  const chat = chatOf(source, session);
  const jobId = question.jobId ?? runOf(chat)?.jobId;
  if (!jobId) return;
  await source.answer(jobId, question.requestId, decision);
  const now = runOf(chat);
  if (now) {
    setRun(chat, { ...now, questions: now.questions.filter((other) => other.requestId !== question.requestId) });
  }
}

/** A message that a person changed is no longer what the run told. */
export function forgetMessages(chat: string, ids: readonly string[]): void {
  const run = runOf(chat);
  if (run) setRun(chat, { ...run, messages: run.messages.filter((message) => !ids.includes(message.id)) });
}

/** Forgets what the last run told, when its conversation has been emptied or renamed. */
export function forgetRun(chat: string): void {
  followed.get(chat)?.abort();
  followed.delete(chat);
  setRun(chat, null);
  setFailure(chat, null);
}
