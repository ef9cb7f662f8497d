import { create } from "zustand";
import { flowKeys } from "@/api/flows";
import { projectKeys } from "@/api/projects";
import { queryClient } from "@/api/queryClient";
import { uploadFile } from "@/api/transfer";
import type { FlowRead } from "@/api/types";
import type { ImportNotes } from "@/flow/importNotes";
import { readPasted } from "@/flow/pasted";

export type ImportProblem = "kind" | "json" | "empty" | "large" | "cancelled" | "notFlow" | "notJson" | { error: unknown };

export interface ImportItem {
  id: number;
  fileName: string;
  status: "waiting" | "sending" | "done" | "failed";
  progress: number;
  flows: { id: string; name: string }[];
  /** What somebody should know about those that came in with problems. */
  notes: FlowNotes[];
  /** It came from the clipboard and has no file name of its own. */
  pasted: boolean;
  problem: ImportProblem | null;
}

export interface FlowNotes extends ImportNotes {
  id: string;
  name: string;
}

interface Imports {
  items: ImportItem[];
}

export const useImports = create<Imports>(() => ({ items: [] }));

const cancels = new Map<number, () => void>();
let next = 1;

function change(id: number, patch: Partial<ImportItem>): void {
  useImports.setState((state) => ({
    items: state.items.map((item) => (item.id === id ? { ...item, ...patch } : item)),
  }));
}

/** What is wrong with the file, as far as it can be told before sending it. */
export async function checkImportFile(file: File, maxBytes: number): Promise<ImportProblem | null> {
  const name = file.name.toLowerCase();
  if (file.size === 0) return "empty";
  if (file.size > maxBytes) return "large";
  if (name.endsWith(".zip")) return null;
  if (!name.endsWith(".json")) return "kind";
  try {
    JSON.parse(await file.text());
    return null;
  } catch {
    return "json";
  }
}

interface Target {
  folderId: string | null;
  maxBytes: number;
  asProject?: boolean;
  pasted?: boolean;
}

/** Imports a flow from its JSON text; a text without one is said to be that. */
export async function importPasted(text: string, target: Target): Promise<void> {
  const found = readPasted(text);
  if (found.kind === "flow") {
    await importFiles([new File([text], `${found.name || "flow"}.json`)], { ...target, pasted: true });
    return;
  }
  const failed = { ...newItem(next++, "", true), status: "failed" as const, problem: found.kind };
  // Trying again with the right text is not a second failure to read about.
  useImports.setState((state) => ({
    items: [...state.items.filter((item) => !(item.pasted && item.status === "failed")), failed],
  }));
}

function newItem(id: number, fileName: string, pasted: boolean): ImportItem {
  return { id, fileName, status: "waiting", progress: 0, flows: [], notes: [], pasted, problem: null };
}

/** Imports files one after the other; each succeeds or fails on its own. */
export async function importFiles(files: readonly File[], target: Target): Promise<void> {
  const queued = files.map((file) => ({ file, id: next++ }));
  useImports.setState((state) => ({
    items: [
      ...state.items,
      ...queued.map(({ file, id }) => newItem(id, file.name, target.pasted === true)),
    ],
  }));
  const url = target.asProject
    ? "/api/v1/projects/upload"
    : `/api/v1/flows/upload${target.folderId ? `?folder_id=${encodeURIComponent(target.folderId)}` : ""}`;
  for (const { file, id } of queued) await importOne(file, id, url, target.maxBytes);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: flowKeys.lists }),
    queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  ]);
}

async function importOne(file: File, id: number, url: string, maxBytes: number): Promise<void> {
  const problem = await checkImportFile(file, maxBytes);
  if (problem) {
    change(id, { status: "failed", problem });
    return;
  }
  change(id, { status: "sending" });
  const upload = uploadFile<FlowRead[]>(url, file, (progress) => change(id, { progress }));
  cancels.set(id, upload.cancel);
  try {
    const flows = await upload.done;
    change(id, {
      status: "done",
      progress: 1,
      flows: flows.map((flow) => ({ id: flow.id, name: flow.name })),
    });
    // Reading flows is a large part of the editor, which nobody needs before the first import.
    const { notesOf } = await import("./importNotes");
    change(id, { notes: await notesOf(flows) });
  } catch (error) {
    const cancelled = error instanceof DOMException && error.name === "AbortError";
    change(id, { status: "failed", problem: cancelled ? "cancelled" : { error } });
  } finally {
    cancels.delete(id);
  }
}

export function cancelImport(id: number): void {
  cancels.get(id)?.();
}

export function clearImports(): void {
  useImports.setState((state) => ({
    items: state.items.filter((item) => item.status === "waiting" || item.status === "sending"),
  }));
}

/** Opens the browser's file picker; must be called from a press or a key. */
export function pickFiles(accept: string, multiple = true): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.multiple = multiple;
    input.onchange = () => resolve([...(input.files ?? [])]);
    input.oncancel = () => resolve([]);
    input.click();
  });
}

export const importKinds = ".json,.zip,application/json,application/zip";
