import { queryClient } from "@/api/queryClient";
import { type ChatRun, newRun, parseRunEvent, reduceRun, unfinishedOf } from "@/flow/chatRun";
import { parseMessages } from "@/flow/messages";
import { chatOf, runOf, setRun } from "./chatStore";
import { finishReplacing, recallReplacing } from "./replacing";
import { follow, isGoing, isOver, takeOver } from "./runner";
import { type ChatSource, messagesQuery } from "./source";

/**
 * Finds the run that goes on in this conversation, or why the last one failed. `stray` is a run whose unfinished
 * answer is there although nobody here started it.
 */
export async function attach(
  source: ChatSource,
  session: string,
  stray: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { runs } = source;
  const chat = chatOf(source, session);
  if (!runs || isGoing(runOf(chat))) return;
  const [found, loaded] = await Promise.all([
    stray === null ? runs.newest(session, signal) : runs.find(stray),
    queryClient.ensureQueryData(messagesQuery(source, session)),
  ]);
  const now = runOf(chat);
  if (!found || isGoing(now) || now?.jobId === found.id || signal.aborted) return;
  const replaces = recallReplacing(chat, found.id);
  const run: ChatRun = { ...newRun(Date.parse(found.created_at), null, replaces), jobId: found.id };
  if (!isOver(found.status)) {
    setRun(chat, run);
    const control = new AbortController();
    takeOver(chat, control);
    await follow(source, session, runs.stream(found.id), control);
    return;
  }
  const failed = found.status !== "completed";
  if (replaces) {
    const past: ChatRun = { ...run, phase: "over", outcome: failed ? "failed" : "completed" };
    await finishReplacing(source, session, past, loaded);
  } else if (failed && loaded.messages.at(-1)?.run_id === found.id) {
    let past = run;
    await runs.stream(found.id).read(
      null,
      (frames) => {
        past = frames.flatMap((frame) => parseRunEvent(frame) ?? []).reduce(reduceRun, past);
      },
      signal,
    );
    // The messages are the server's to tell: they may have been changed or deleted since.
    const kept = unfinishedOf(parseMessages(loaded.messages), past);
    if (!isGoing(runOf(chat))) setRun(chat, { ...past, phase: "over", messages: kept, removed: [] });
  }
}
