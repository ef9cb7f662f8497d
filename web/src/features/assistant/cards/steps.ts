import {
  Brain,
  Check,
  CircleAlert,
  Code,
  FileCheck,
  FilePen,
  FlaskConical,
  ListTodo,
  type LucideIcon,
  RotateCcw,
  Search,
  ShieldCheck,
  Workflow,
} from "lucide-react";
import type { StepName } from "../model/types";

const labels = {
  generating: "assistant.cards.step.generating",
  generating_component: "assistant.cards.step.generating_component",
  generating_plan: "assistant.cards.step.generating_plan",
  generating_flow: "assistant.cards.step.generating_flow",
  orchestrating: "assistant.cards.step.orchestrating",
  generation_complete: "assistant.cards.step.generation_complete",
  extracting_code: "assistant.cards.step.extracting_code",
  validating: "assistant.cards.step.validating",
  validated: "assistant.cards.step.validated",
  validation_failed: "assistant.cards.step.validation_failed",
  retrying: "assistant.cards.step.retrying",
  searching_components: "assistant.cards.step.searching_components",
  building_flow: "assistant.cards.step.building_flow",
  flow_built: "assistant.cards.step.flow_built",
  flow_build_failed: "assistant.cards.step.flow_build_failed",
  flow_proposal_ready: "assistant.cards.step.flow_proposal_ready",
  generating_document: "assistant.cards.step.generating_document",
  document_ready: "assistant.cards.step.document_ready",
  verifying: "assistant.cards.step.verifying",
} as const satisfies Record<StepName, string>;

/** Said of a step that is behind; the others say it as they are. */
const doneLabels = {
  ...labels,
  generating: "assistant.cards.doneStep.generating",
  generating_component: "assistant.cards.doneStep.generating_component",
  generating_plan: "assistant.cards.doneStep.generating_plan",
  generating_flow: "assistant.cards.doneStep.generating_flow",
  orchestrating: "assistant.cards.doneStep.orchestrating",
  extracting_code: "assistant.cards.doneStep.extracting_code",
  validating: "assistant.cards.doneStep.validating",
  retrying: "assistant.cards.doneStep.retrying",
  searching_components: "assistant.cards.doneStep.searching_components",
  building_flow: "assistant.cards.doneStep.building_flow",
  generating_document: "assistant.cards.doneStep.generating_document",
  verifying: "assistant.cards.doneStep.verifying",
} as const;

const icons: Record<StepName, LucideIcon> = {
  generating: Brain,
  generating_component: Code,
  generating_plan: ListTodo,
  generating_flow: Workflow,
  orchestrating: Workflow,
  generation_complete: Check,
  extracting_code: Code,
  validating: ShieldCheck,
  validated: Check,
  validation_failed: CircleAlert,
  retrying: RotateCcw,
  searching_components: Search,
  building_flow: Workflow,
  flow_built: Check,
  flow_build_failed: CircleAlert,
  flow_proposal_ready: Check,
  generating_document: FilePen,
  document_ready: FileCheck,
  verifying: FlaskConical,
};

/** A newer server may know steps that this page does not. */
function isKnown(step: string): step is StepName {
  return Object.hasOwn(labels, step);
}

export function stepLabel(step: string) {
  return isKnown(step) ? labels[step] : "assistant.cards.step.unknown";
}

export function doneLabel(step: string) {
  return isKnown(step) ? doneLabels[step] : "assistant.cards.doneStep.unknown";
}

export function stepIcon(step: string): LucideIcon {
  return isKnown(step) ? icons[step] : Brain;
}

const failures: ReadonlySet<string> = new Set<StepName>(["validation_failed", "flow_build_failed"]);

export function isFailure(step: string): boolean {
  return failures.has(step);
}

const writing: ReadonlySet<string> = new Set<StepName>([
  "generating_component",
  "extracting_code",
  "validating",
  "validated",
  "validation_failed",
]);

/** A component is being written: what the model says is about its code and is shown as it comes. */
export function isWritingComponent(step: string | null, done: readonly string[]): boolean {
  if (step === null) return false;
  return writing.has(step) || (step === "retrying" && done.some((earlier) => writing.has(earlier)));
}
