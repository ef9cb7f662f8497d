import { BADGE_MS, GATE_MS } from "./protocol";
import { answerOf, withAnswer } from "./messages";
import { unchanged } from "./turn";
import type { Action, AssistantMessage, ChatState, Completed, ComponentResult, Effect, Reduced, StepName } from "./types";

/** Steps that only a request for a component goes through: example code in an answer is not one. */
const COMPONENT_STEPS: readonly StepName[] = ["generating_component", "extracting_code", "validating", "validated"];

const OPENING = /^\s*(`{3,}|~{3,})\s*(\S*)/;
const CLASS = /^class[ \t]+([A-Za-z_]\w*)[ \t]*\([^)]*\bComponent\b[^)]*\)[ \t]*:/;
/** No line with the head of a class is longer; beyond it looking would take for ever. */
const LONGEST_LINE = 500;

/** A class that extends Component, in the first block of Python that has one. Line by line: answers can be huge. */
export function extractComponent(content: string): { className: string; code: string } | null {
  let fence: string | null = null;
  let python = false;
  let block: string[] = [];
  for (const line of content.split("\n")) {
    if (fence === null) {
      const [, opening = null, language = ""] = OPENING.exec(line) ?? [];
      fence = opening;
      python = ["", "python", "py"].includes(language.toLowerCase());
      block = [];
    } else if (line.trim() === fence) {
      const className = python ? classIn(block) : null;
      if (className) return { className, code: block.join("\n").trimEnd() };
      fence = null;
    } else {
      block.push(line);
    }
  }
  return null;
}

function classIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const name = line.length <= LONGEST_LINE ? CLASS.exec(line)?.[1] : null;
    if (name) return name;
  }
  return null;
}

/** The component that a turn ended with, or the one it could not write. `done`: the steps it went through. */
export function componentOf(
  answer: AssistantMessage,
  done: readonly StepName[],
  data: Completed,
  skipAll: boolean,
): ComponentResult | null {
  const { validated = null, validation_error: error = null, validation_attempts: attempts = null } = data;
  const found = extractComponent(data.result || answer.content);
  const code = data.component_code || answer.progress?.code || found?.code || "";
  const named = data.class_name || answer.progress?.className || classIn(code.split("\n")) || "";
  if (validated === false) return { className: named, code, validated, error, attempts, gate: "shown" };
  const gate = skipAll ? "shown" : "ready";
  if (validated === true && code !== "") return { className: named, code, validated, error, attempts, gate };
  // The server did not say so, but it worked on a component and there is one.
  if (validated === null && found && done.some((step) => COMPONENT_STEPS.includes(step)))
    return { ...found, validated: true, error: null, attempts, gate };
  return null;
}

/** The gate opens by itself after a while. */
export function gateTimer(message: string, component: ComponentResult | null): Effect[] {
  if (component?.gate !== "ready") return [];
  return [{ do: "later", ms: GATE_MS, action: { type: "component", message, do: "continue" } }];
}

type ComponentAction = Extract<Action, { type: "component" }>;

export function onComponent(state: ChatState, { message, do: what }: ComponentAction): Reduced {
  const answer = answerOf(state, message);
  const component = answer?.component;
  if (!answer || !component?.validated) return unchanged(state);
  const { gate } = component;
  const show = (next: ComponentResult["gate"]): ChatState =>
    withAnswer(state, { ...answer, component: { ...component, gate: next } });
  if (what === "continue" && gate === "ready") return { state: show("shown"), effects: [] };
  if (what === "settle" && gate === "added") return { state: show("shown"), effects: [] };
  if (what !== "added" || gate === "added") return unchanged(state);
  return {
    state: show("added"),
    effects: [{ do: "later", ms: BADGE_MS, action: { type: "component", message, do: "settle" } }],
  };
}
