import { create } from "zustand";
import type { ChatRun } from "@/flow/chatRun";
import { type Remembered, recall, remember } from "./memory";

export interface Attachment {
  id: number;
  name: string;
  progress: number;
  path: string | null;
  error: unknown;
}

interface Chats {
  /** By chat: the run under way, or the last one. */
  runs: Record<string, ChatRun>;
  /** Why a message could not be sent, by chat. */
  failures: Record<string, unknown>;
  /** What is typed but not sent, by chat. */
  drafts: Record<string, string>;
  attachments: Record<string, Attachment[]>;
  /** By flow. */
  places: Record<string, Remembered>;
}

/** What the server does not know of the conversations on this page. */
export const useChats = create<Chats>(() => ({
  runs: {},
  failures: {},
  drafts: {},
  attachments: {},
  places: {},
}));

export const chatOf = (flowId: string, session: string): string => `${flowId}/${session}`;

export function runOf(chat: string): ChatRun | null {
  return useChats.getState().runs[chat] ?? null;
}

export function setRun(chat: string, run: ChatRun | null): void {
  useChats.setState(({ runs }) => {
    const { [chat]: _before, ...others } = runs;
    return { runs: run ? { ...others, [chat]: run } : others };
  });
}

export function setFailure(chat: string, failure: unknown): void {
  useChats.setState(({ failures }) => ({ failures: { ...failures, [chat]: failure } }));
}

export function setDraft(chat: string, text: string): void {
  useChats.setState(({ drafts }) => ({ drafts: { ...drafts, [chat]: text } }));
}

export function changeAttachments(chat: string, change: (list: Attachment[]) => Attachment[]): void {
  useChats.setState(({ attachments }) => ({
    attachments: { ...attachments, [chat]: change(attachments[chat] ?? []) },
  }));
}

export function placeOf(flowId: string): Remembered {
  return useChats.getState().places[flowId] ?? recall(flowId);
}

export function setPlace(flowId: string, place: Remembered): void {
  useChats.setState(({ places }) => ({ places: { ...places, [flowId]: place } }));
  remember(flowId, place);
}
