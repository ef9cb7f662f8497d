import { arrayOr, isRecord, recordOr, scalarText, text, textOrNull, toJson, type JsonRecord } from "./json";
import type { Port, WorkflowFact, WorkflowKind } from "./model";
import { controlPort } from "./ports";

export const WORKFLOW_ICONS: Record<WorkflowKind, string> = {
  start: "play",
  agent: "bot",
  end: "flag",
  fileSearch: "file-search",
  guardrails: "shield-check",
  mcp: "plug",
  ifElse: "split",
  while: "repeat",
  userApproval: "user-check",
  transform: "wand-sparkles",
  setState: "variable",
};

export const WORKFLOW_TITLES: Record<WorkflowKind, string> = {
  start: "Start",
  agent: "Agent",
  end: "End",
  fileSearch: "File search",
  guardrails: "Guardrails",
  mcp: "MCP",
  ifElse: "If / else",
  while: "While",
  userApproval: "User approval",
  transform: "Transform",
  setState: "Set state",
};

export function workflowKind(type: string): WorkflowKind | null {
  return Object.hasOwn(WORKFLOW_ICONS, type) ? (type as WorkflowKind) : null;
}

/** Settings worth a line on the card, in order; those holding CEL or templates are set in code type. */
const FACTS: Record<WorkflowKind, readonly [key: string, code: boolean][]> = {
  start: [
    ["inputVariables", false],
    ["stateVariables", false],
    ["variables", false],
  ],
  agent: [
    ["model", false],
    ["systemPrompt", false],
    ["userPrompt", false],
    ["outputVariable", true],
  ],
  end: [
    ["outputVariable", true],
    ["output", true],
  ],
  fileSearch: [
    ["query", false],
    ["path", true],
    ["pattern", true],
    ["outputVariable", true],
  ],
  guardrails: [
    ["rules", false],
    ["checks", false],
    ["input", true],
  ],
  mcp: [
    ["server", false],
    ["serverUrl", true],
    ["tool", false],
    ["parameters", true],
  ],
  ifElse: [],
  while: [
    ["condition", true],
    ["expression", true],
    ["maxIterations", false],
  ],
  userApproval: [
    ["message", false],
    ["prompt", false],
    ["timeout", false],
  ],
  transform: [
    ["expression", true],
    ["assignments", true],
    ["outputVariable", true],
  ],
  setState: [
    ["assignments", true],
    ["variable", true],
    ["value", true],
  ],
};

const MOST_FACTS = 3;

export function workflowFacts(kind: WorkflowKind, data: JsonRecord): WorkflowFact[] {
  return FACTS[kind]
    .map(([key, code]) => ({ key, code, text: factText(data[key]) }))
    .filter((fact) => fact.text !== "")
    .slice(0, MOST_FACTS);
}

function factText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(itemText)
      .filter((item) => item !== "")
      .join(", ");
  if (isRecord(value))
    return Object.entries(value)
      .map(([key, item]) => `${key} = ${scalarText(item) || (toJson(item) ?? "")}`)
      .join(", ");
  return scalarText(value);
}

function itemText(item: unknown): string {
  if (!isRecord(item)) return scalarText(item);
  const name = text(item.name) || text(item.key) || text(item.variable) || text(item.label);
  const value = scalarText(item.value) || scalarText(item.expression);
  return value === "" ? name : `${name} = ${value}`;
}

export interface Branch {
  id: string;
  label: string;
  expression: string;
}

export function branches(data: JsonRecord): Branch[] {
  const seen = new Set<string>(["else"]);
  return arrayOr(data.conditions).flatMap((item, index) => {
    const condition = recordOr(item);
    const id = textOrNull(condition.id) ?? `condition-${index + 1}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const expression = text(condition.expression) || text(condition.condition);
    return [
      { id, label: text(condition.label) || text(condition.name) || text(condition.caseName), expression },
    ];
  });
}

export function workflowPorts(kind: WorkflowKind, data: JsonRecord): Port[] {
  const entry: Port[] = kind === "start" ? [] : [controlPort("in", "in", "")];
  return [...entry, ...exits(kind, data).map(([name, label]) => controlPort("out", name, label))];
}

function exits(kind: WorkflowKind, data: JsonRecord): [name: string, label: string][] {
  switch (kind) {
    case "end":
      return [];
    case "ifElse":
      return [
        ...branches(data).map((branch): [string, string] => [
          branch.id,
          branch.label || branch.expression || branch.id,
        ]),
        ["else", "else"],
      ];
    case "while":
      return [
        ["loop", "loop"],
        ["exit", "exit"],
      ];
    case "userApproval":
      return [
        ["approve", "approve"],
        ["reject", "reject"],
      ];
    default:
      return [["out", ""]];
  }
}
