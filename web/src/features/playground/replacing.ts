import i18next from "i18next";
import type { MessageRead } from "@/api/types";
import type { ChatRun, Replaces } from "@/flow/chatRun";
import type { Turn } from "@/flow/chatTurns";
import { recordOr, strings } from "@/flow/json";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { chatOf, runOf, setRun } from "./chatStore";
import { recallValue, rememberValue } from "./memory";
import { changeLoaded, type ChatSource, type LoadedMessages, reloadMessages } from "./source";

export function replacesOf(turn: Turn, text: string): Replaces {
  return {
    ids: [turn.question, ...turn.answers].map((message) => message.id),
    sameQuestion: text === turn.question.text,
  };
}

const nameOf = (chat: string): string => `replaces ${chat}`;

/** So that a page that is loaded again in the middle still knows what the answer is to take the place of. */
export function rememberReplacing(chat: string, jobId: string, replaces: Replaces): void {
  rememberValue(nameOf(chat), { jobId, ...replaces });
}

export function recallReplacing(chat: string, jobId: string): Replaces | null {
  const saved = recordOr(recallValue(nameOf(chat)));
  if (saved.jobId !== jobId) return null;
  return { ids: strings(saved.ids), sameQuestion: saved.sameQuestion === true };
}

/** Takes the old turn away once the new answer is there; of a new one that failed, nothing is left behind. */
export async function finishReplacing(
  source: ChatSource,
  session: string,
  run: ChatRun,
  loaded: LoadedMessages,
): Promise<void> {
  const chat = chatOf(source, session);
  const { replaces } = run;
  if (!replaces || !source.edits) return;
  rememberValue(nameOf(chat), null);
  const mine = loaded.messages.filter((message) => isOf(message, run));
  const answered = run.outcome === "completed" && mine.some((message) => message.sender !== "User");
  const old = loaded.messages.filter((message) => replaces.ids.includes(message.id ?? ""));
  const leaving = answered ? old : replaces.sameQuestion ? mine : [];
  try {
    if (leaving.length > 0) await source.edits.remove(leaving);
  } catch (error) {
    // Both stay; that is better than losing either.
    toastError(error);
    settled(chat, []);
    return;
  }
  const gone = leaving.map((message) => message.id ?? "");
  changeLoaded(source, session, (list) => list.filter((message) => !gone.includes(message.id ?? "")));
  settled(chat, gone);
  if (answered) offerUndo(source, session, old);
}

function isOf(message: MessageRead, run: ChatRun): boolean {
  return run.jobId === null
    ? run.messages.some((told) => told.id === message.id)
    : message.run_id === run.jobId;
}

function settled(chat: string, gone: string[]): void {
  const run = runOf(chat);
  if (!run) return;
  setRun(chat, {
    ...run,
    replaces: null,
    messages: run.messages.filter((message) => !gone.includes(message.id)),
  });
}

function offerUndo(source: ChatSource, session: string, old: MessageRead[]): void {
  if (old.length === 0) return;
  const undo = async (): Promise<void> => {
    try {
      await source.edits?.restore(old);
      await reloadMessages(source, session);
    } catch (error) {
      toastError(error);
    }
  };
  showToast({
    message: i18next.t("playground.replaced"),
    action: { label: i18next.t("common.undo"), run: () => void undo() },
  });
}
