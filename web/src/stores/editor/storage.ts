import { type History, NO_HISTORY, restoreHistory, saveHistory } from "@/flow/edit/history";
import { randomId } from "@/flow/edit/apply";
import type { FlowDocument } from "@/flow/edit/document";
import { isPatch } from "@/flow/edit/patch";
import { isRecord } from "@/flow/json";
import type { Step } from "./state";

/** Changes that were not saved when the page went away, and the revision they were made on. */
export interface Pending {
  revision: number;
  steps: Step[];
  at: number;
}

const HISTORY = "ferroflow.history.";
const PENDING = "ferroflow.pending.";
const TAB = "ferroflow.tab";

// Another tab's changes are its own to save; only what has been lying here longer was left behind.
const ORPHANED = 60_000;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    // Storage can be full, or closed to us in private windows: then nothing outlives the page.
    return otherwise;
  }
}

let ownTab: string | null = null;

/** Stays the same over a reload of this tab. */
function tab(): string {
  ownTab ??= attempt(() => {
    const known = sessionStorage.getItem(TAB);
    if (known !== null) return known;
    const made = randomId() + randomId();
    sessionStorage.setItem(TAB, made);
    return made;
  }, "alone");
  return ownTab;
}

// Fowler–Noll–Vo: tells one document from another, and need not withstand anybody.
function fingerprint(document: FlowDocument): string {
  const text = JSON.stringify(document);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${text.length}.${(hash >>> 0).toString(36)}`;
}

/** Keeps what can be undone, together with the document that it leads to: with another one it would be of no use. */
export function keepHistory(flowId: string, document: FlowDocument, history: History): void {
  attempt(() => {
    const key = HISTORY + flowId;
    if (history.done.length === 0 && history.undone.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, saveHistory(history, fingerprint(document)));
  }, undefined);
}

export function keptHistory(flowId: string, document: FlowDocument): History {
  return attempt(() => {
    const kept = sessionStorage.getItem(HISTORY + flowId);
    return kept === null ? NO_HISTORY : restoreHistory(kept, fingerprint(document));
  }, NO_HISTORY);
}

export function keepPending(flowId: string, pending: Pending | null): void {
  attempt(() => {
    const key = `${PENDING}${flowId}.${tab()}`;
    if (pending === null || pending.steps.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(pending));
  }, undefined);
}

/** What this tab left behind, and what tabs that are gone did, oldest first. It is taken out. */
export function takePending(flowId: string, now: number): Pending[] {
  return attempt(() => {
    const start = `${PENDING}${flowId}.`;
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
    const found = keys.flatMap((key) => {
      const pending = readPending(localStorage.getItem(key));
      const own = key === start + tab();
      if (pending && !own && now - pending.at < ORPHANED) return [];
      localStorage.removeItem(key);
      return pending ? [pending] : [];
    });
    return found.toSorted((a, b) => a.at - b.at);
  }, []);
}

function readPending(source: string | null): Pending | null {
  const value: unknown = attempt(() => JSON.parse(source ?? "null"), null);
  if (!isRecord(value) || typeof value.revision !== "number" || typeof value.at !== "number") return null;
  const { steps } = value;
  const sound = Array.isArray(steps) && steps.every((step) => isRecord(step) && isPatch(step.patch));
  return sound ? { revision: value.revision, at: value.at, steps: steps as Step[] } : null;
}

const SAVED = "ferroflow.saved.";

/** Tells the other tabs that have the flow open. */
export function tellSaved(flowId: string, revision: number): void {
  attempt(() => localStorage.setItem(SAVED + flowId, String(revision)), undefined);
}

export function onSavedElsewhere(flowId: string, listener: (revision: number) => void): () => void {
  const heard = ({ key, newValue }: StorageEvent): void => {
    if (key === SAVED + flowId && newValue !== null) listener(Number(newValue));
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}
