import { create } from "zustand";
import type { ChatRun } from "@/flow/chatRun";
import { type Remembered, recall, recallValue, rememberValue } from "./memory";

export interface Attachment {
  id: number;
  name: string;
  progress: number;
  path: string | null;
  /** Why it cannot be sent: an error of the upload, or a sentence. */
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
  /** Chats that somebody deleted elsewhere. */
  emptied: Record<string, boolean>;
  /** By flow and where it is kept. */
  places: Record<string, Remembered>;
}

/** What the server does not know of the conversations on this page. */
export const useChats = create<Chats>(() => ({
  runs: {},
  failures: {},
  drafts: {},
  attachments: {},
  emptied: {},
  places: {},
}));

interface Keeper {
  kept: string;
  flowId: string;
}

export const chatOf = ({ kept, flowId }: Keeper, session: string): string => `${kept}/${flowId}/${session}`;

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

export function setEmptied(chat: string, is: boolean): void {
  useChats.setState(({ emptied }) => ({ emptied: { ...emptied, [chat]: is } }));
}

export function draftOf(chat: string): string {
  const draft = useChats.getState().drafts[chat] ?? recallValue(`draft ${chat}`);
  return typeof draft === "string" ? draft : "";
}

export function setDraft(chat: string, text: string): void {
  useChats.setState(({ drafts }) => ({ drafts: { ...drafts, [chat]: text } }));
  rememberValue(`draft ${chat}`, text === "" ? null : text);
}

/** Puts text where the next message is written, after what is there. */
export function addToDraft(chat: string, text: string): void {
  const draft = draftOf(chat);
  setDraft(chat, draft === "" || draft === text ? text : `${draft}\n${text}`);
}

export function changeAttachments(chat: string, change: (list: Attachment[]) => Attachment[]): void {
  useChats.setState(({ attachments }) => ({
    attachments: { ...attachments, [chat]: change(attachments[chat] ?? []) },
  }));
}

export const placeKey = ({ kept, flowId }: Keeper): string => (kept === "server" ? flowId : `${kept} ${flowId}`);

const recalled = new Map<string, Remembered>();

export function placeOf(keeper: Keeper): Remembered {
  const key = placeKey(keeper);
  const place = useChats.getState().places[key] ?? recalled.get(key) ?? recall(key, keeper.flowId);
  recalled.set(key, place);
  return place;
}

export function setPlace(keeper: Keeper, place: Remembered): void {
  const key = placeKey(keeper);
  useChats.setState(({ places }) => ({ places: { ...places, [key]: place } }));
  rememberValue(key, place);
}
