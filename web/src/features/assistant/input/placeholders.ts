import type { StepName } from "../model/types";

/** What an empty input says while nothing happens: one of the things that can be asked. */
export const IDLE = [
  "assistant.input.idle.build",
  "assistant.input.idle.explain",
  "assistant.input.idle.component",
  "assistant.input.idle.change",
  "assistant.input.idle.mention",
] as const;

const CHECKING: ReadonlySet<StepName> = new Set(["extracting_code", "validating", "validated", "verifying"]);
const AGAIN: ReadonlySet<StepName> = new Set(["validation_failed", "retrying"]);

export interface Situation {
  busy: boolean;
  step: StepName | null;
  refining: boolean;
  seed: number;
}

/** The key of the text that an empty input shows. */
export function placeholderFor({ busy, step, refining, seed }: Situation) {
  if (busy) {
    if (step !== null && CHECKING.has(step)) return "assistant.input.checking";
    if (step !== null && AGAIN.has(step)) return "assistant.input.tryingAgain";
    return "assistant.input.working";
  }
  if (refining) return "assistant.input.refining";
  return IDLE[Math.abs(Math.trunc(seed)) % IDLE.length] ?? IDLE[0];
}
