import { asApiError } from "@/api/error";
import { messageKeys, messagesQuery } from "@/api/messages";
import { queryClient } from "@/api/queryClient";
import { answerQuestion, getRun, newestRun, readEvents, startWorkflow, stopWorkflow } from "@/api/workflows";
import { type ChatRun, newRun, parseRunEvent, reduceRun, type RunEvent, unfinishedOf } from "@/flow/chatRun";
import { parseMessages } from "@/flow/messages";
import { changeAttachments, chatOf, runOf, setDraft, setFailure, setRun, useChats } from "./chatStore";

interface Said {
  text: string;
  files: { name: string; path: string }[];
}

/** A message that got no answer may have arrived all the same: sent again, it has the same key. */
const unsure = new Map<string, { said: string; key: string }>();

/** Says something, and follows the run that comes of it. What could not be sent is put back. */
export async function send(flowId: string, session: string, said: Said | null): Promise<void> {
  const chat = chatOf(flowId, session);
  if (isGoing(runOf(chat))) return;
  const content = JSON.stringify(said);
  const before = unsure.get(chat);
  const key = before?.said === content ? before.key : newKey();
  unsure.set(chat, { said: content, key });
  setFailure(chat, null);
  setDraft(chat, "");
  changeAttachments(chat, () => []);
  const pending = said && { text: said.text, files: said.files.map((file) => file.path) };
  setRun(chat, newRun(Date.now(), pending));
  try {
    const jobId = await startWorkflow({
      flowId,
      session,
      input: said?.text,
      files: pending?.files ?? [],
      key,
    });
    unsure.delete(chat);
    await follow(flowId, session, jobId);
  } catch (error) {
    setRun(chat, null);
    setFailure(chat, error);
    if (!said) return;
    if (!useChats.getState().drafts[chat]) setDraft(chat, said.text);
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

/** Follows a run to its end, through lost connections; then the server's own list takes over. */
async function follow(flowId: string, session: string, jobId: string): Promise<void> {
  const chat = chatOf(flowId, session);
  followed.get(chat)?.abort();
  const control = new AbortController();
  followed.set(chat, control);
  const change = (how: (run: ChatRun) => ChatRun): void => {
    const run = runOf(chat);
    if (run && !control.signal.aborted) setRun(chat, how(run));
  };
  change((run) => ({ ...run, jobId, phase: "going" }));
  const queue = eventQueue((events) =>
    change((run) => events.reduce(reduceRun, run.phase === "lost" ? { ...run, phase: "going" } : run)),
  );
  let wait = 500;
  while (!control.signal.aborted && isGoing(runOf(chat))) {
    try {
      await readEvents(
        jobId,
        runOf(chat)?.lastEvent ?? null,
        (frames) => {
          wait = 500;
          queue.add(frames.flatMap((frame) => parseRunEvent(frame) ?? []));
        },
        control.signal,
      );
      queue.flush();
      if (isGoing(runOf(chat)) && isOver((await getRun(jobId)).status)) {
        change((run) => reduceRun(run, { id: null, name: "end", data: null }));
      }
    } catch (error) {
      queue.flush();
      if (control.signal.aborted) return;
      const problem = asApiError(error);
      if (problem.status > 0 && problem.status < 500) {
        change((run) => reduceRun(run, { id: null, name: "end", data: null }));
        setFailure(chat, error);
        break;
      }
      change((run) => ({ ...run, phase: "lost" }));
    }
    if (!isGoing(runOf(chat))) break;
    await new Promise((resume) => setTimeout(resume, wait));
    wait = Math.min(wait * 1.5, 5000);
  }
  await settle(flowId, session);
}

function isOver(status: string): boolean {
  return !["queued", "running", "waiting"].includes(status);
}

/** Takes the messages from the server; only when they are there does what the stream told go. */
async function settle(flowId: string, session: string): Promise<void> {
  const chat = chatOf(flowId, session);
  void queryClient.invalidateQueries({ queryKey: messageKeys.sessions(flowId) });
  try {
    const loaded = await queryClient.fetchQuery({ ...messagesQuery(flowId, session), staleTime: 0 });
    const run = runOf(chat);
    if (run?.phase === "over") {
      setRun(chat, { ...run, messages: unfinishedOf(parseMessages(loaded), run), removed: [] });
    }
  } catch {
    // What the stream told stays on the page until the server can be asked again.
  }
}

/** Hands events on once a frame, however fast they come. */
function eventQueue(deliver: (events: RunEvent[]) => void): {
  add: (events: RunEvent[]) => void;
  flush: () => void;
} {
  let waiting: RunEvent[] = [];
  let planned = false;
  const flush = (): void => {
    planned = false;
    const events = waiting;
    waiting = [];
    if (events.length > 0) deliver(events);
  };
  return {
    add: (events) => {
      waiting.push(...events);
      if (planned) return;
      planned = true;
      // A page in the background draws no frames.
      if (document.hidden) setTimeout(flush, 100);
      else requestAnimationFrame(flush);
    },
    flush,
  };
}

/**
 * Finds the run that goes on in this conversation, or why the last one failed. `stray` is a run whose unfinished
 * answer is there although nobody here started it.
 */
export async function attach(
  flowId: string,
  session: string,
  stray: string | null,
  signal: AbortSignal,
): Promise<void> {
  const chat = chatOf(flowId, session);
  if (isGoing(runOf(chat))) return;
  const [found, messages] = await Promise.all([
    stray === null ? newestRun(flowId, session, signal) : getRun(stray),
    queryClient.ensureQueryData(messagesQuery(flowId, session)),
  ]);
  const now = runOf(chat);
  if (!found || isGoing(now) || now?.jobId === found.id || signal.aborted) return;
  const run = { ...newRun(Date.parse(found.created_at)), jobId: found.id };
  if (!isOver(found.status)) {
    setRun(chat, run);
    await follow(flowId, session, found.id);
  } else if (found.status !== "completed" && messages.at(-1)?.run_id === found.id) {
    let past: ChatRun = run;
    await readEvents(
      found.id,
      null,
      (frames) => {
        past = frames.flatMap((frame) => parseRunEvent(frame) ?? []).reduce(reduceRun, past);
      },
      signal,
    );
    // The messages are the server's to tell: they may have been changed or deleted since.
    const kept = unfinishedOf(parseMessages(messages), past);
    if (!isGoing(runOf(chat))) setRun(chat, { ...past, phase: "over", messages: kept, removed: [] });
  }
}

export async function stop(flowId: string, session: string): Promise<void> {
  const chat = chatOf(flowId, session);
  const run = runOf(chat);
  if (!run?.jobId || run.stopping) return;
  setRun(chat, { ...run, stopping: true });
  try {
    await stopWorkflow(run.jobId);
  } catch (error) {
    const now = runOf(chat);
    if (now) setRun(chat, { ...now, stopping: false });
    throw error;
  }
}

export async function decide(chat: string, requestId: string, action: string): Promise<void> {
  const run = runOf(chat);
  if (!run?.jobId) return;
  await answerQuestion(run.jobId, requestId, action);
  const now = runOf(chat);
  if (now) {
    setRun(chat, { ...now, questions: now.questions.filter((question) => question.requestId !== requestId) });
  }
}

/** A message that a person changed is no longer what the run told. */
export function forgetMessage(chat: string, id: string): void {
  const run = runOf(chat);
  if (run) setRun(chat, { ...run, messages: run.messages.filter((message) => message.id !== id) });
}

/** Forgets what the last run told, when its conversation has been emptied or renamed. */
export function forgetRun(chat: string): void {
  followed.get(chat)?.abort();
  followed.delete(chat);
  setRun(chat, null);
  setFailure(chat, null);
}
