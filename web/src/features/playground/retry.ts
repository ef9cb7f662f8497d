import type { ChatEnds } from "@/flow/chatEnds";
import { chatOf, draftOf, useChats } from "./chatStore";
import { send } from "./runner";
import type { ChatSource } from "./source";

/** Sends what is typed and attached; false while there is nothing to send, or a file is still on its way. */
export function sendDraft(source: ChatSource, session: string): boolean {
  const chat = chatOf(source, session);
  const text = draftOf(chat);
  const attachments = useChats.getState().attachments[chat] ?? [];
  const ready = attachments.every((item) => item.path !== null);
  if (!ready || (text.trim() === "" && attachments.length === 0)) return false;
  const files = attachments.flatMap(({ name, path }) => (path === null ? [] : [{ name, path }]));
  void send(source, session, { text, files });
  return true;
}

/** Tries once more what failed: the message that is back in its field, or the last question. */
export function retry(source: ChatSource, session: string, ends: ChatEnds, again: () => void): void {
  if (!ends.input) void send(source, session, null);
  else if (!sendDraft(source, session)) again();
}
