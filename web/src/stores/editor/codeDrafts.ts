import { isRecord } from "@/flow/json";

/** Code that was typed and not saved yet. */
export interface CodeDraft {
  code: string;
  at: number;
}

const DRAFT = "ferroflow.code.";
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    // Storage can be full, or closed to us in private windows: then nothing outlives the page.
    return otherwise;
  }
}

function keyOf(flowId: string, node: string): string {
  return `${DRAFT}${flowId}.${node}`;
}

export function keepDraft(flowId: string, node: string, code: string, now = Date.now()): void {
  attempt(() => localStorage.setItem(keyOf(flowId, node), JSON.stringify({ code, at: now })), undefined);
}

export function dropDraft(flowId: string, node: string): void {
  attempt(() => localStorage.removeItem(keyOf(flowId, node)), undefined);
}

export function draftOf(flowId: string, node: string): CodeDraft | null {
  return attempt(() => read(localStorage.getItem(keyOf(flowId, node))), null);
}

function read(source: string | null): CodeDraft | null {
  const value: unknown = source === null ? null : JSON.parse(source);
  if (!isRecord(value) || typeof value.code !== "string" || typeof value.at !== "number") return null;
  return { code: value.code, at: value.at };
}

/** Nodes of a flow with code that was left unsaved. What has been lying here too long goes. */
export function draftsOf(flowId: string, now = Date.now()): string[] {
  const start = keyOf(flowId, "");
  return attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(DRAFT)) continue;
      const draft = attempt(() => read(localStorage.getItem(key)), null);
      if (draft === null || now - draft.at > KEPT_FOR) localStorage.removeItem(key);
    }
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  }, []);
}
