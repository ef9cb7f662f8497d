import { create } from "zustand";
import type { FlowPatch } from "@/api/flows";
import type { FlowHeader, FlowRead } from "@/api/types";

export type StaleChoice = "reload" | "overwrite";

export interface StaleQuestion {
  mine: FlowHeader;
  patch: FlowPatch;
  current: FlowRead;
}

interface Stale {
  question: StaleQuestion | null;
  answer: ((choice: StaleChoice) => void) | null;
}

export const useStale = create<Stale>(() => ({ question: null, answer: null }));

export function askAboutStale(question: StaleQuestion): Promise<StaleChoice> {
  return new Promise((resolve) => {
    useStale.setState({
      question,
      answer: (choice) => {
        useStale.setState({ question: null, answer: null });
        resolve(choice);
      },
    });
  });
}

export interface StaleRow {
  field: "name" | "description" | "tags" | "locked" | "access_type" | "folder_id";
  before: string;
  theirs: string;
  mine: string | null;
}

const fields = ["name", "description", "tags", "locked", "access_type"] as const;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return value === null || value === undefined ? "" : String(value);
}

/** The fields that somebody else changed, or that this write would change. */
export function staleRows({ mine, patch, current }: StaleQuestion): StaleRow[] {
  return fields.flatMap((field) => {
    const before = shown(mine[field]);
    const theirs = shown(current[field]);
    const wanted = field in patch ? shown(patch[field]) : null;
    if (before === theirs && (wanted === null || wanted === theirs)) return [];
    return [{ field, before, theirs, mine: wanted }];
  });
}
