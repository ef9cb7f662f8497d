import type { TFunction } from "i18next";
import type { Port } from "@/flow/model";

/** What the settings of workflow nodes are called. */
export function factLabels(t: TFunction): Record<string, string> {
  return {
    inputVariables: t("flow.workflow.inputs"),
    stateVariables: t("flow.workflow.state"),
    variables: t("flow.workflow.variables"),
    model: t("flow.workflow.model"),
    systemPrompt: t("flow.workflow.system"),
    userPrompt: t("flow.workflow.prompt"),
    outputVariable: t("flow.workflow.savesTo"),
    output: t("flow.workflow.output"),
    query: t("flow.workflow.query"),
    path: t("flow.workflow.path"),
    pattern: t("flow.workflow.pattern"),
    rules: t("flow.workflow.rules"),
    checks: t("flow.workflow.checks"),
    input: t("flow.workflow.input"),
    server: t("flow.workflow.server"),
    serverUrl: t("flow.workflow.server"),
    tool: t("flow.workflow.tool"),
    parameters: t("flow.workflow.parameters"),
    condition: t("flow.workflow.while"),
    expression: t("flow.workflow.expression"),
    maxIterations: t("flow.workflow.atMost"),
    message: t("flow.workflow.asks"),
    prompt: t("flow.workflow.asks"),
    timeout: t("flow.workflow.timeout"),
    assignments: t("flow.workflow.sets"),
    variable: t("flow.workflow.variable"),
    value: t("flow.workflow.value"),
  };
}

const fixedExits = {
  else: "flow.exit.else",
  loop: "flow.exit.loop",
  exit: "flow.exit.exit",
  approve: "flow.exit.approve",
  reject: "flow.exit.reject",
} as const;

export function exitLabel(t: TFunction, port: Port): string {
  const fixed = port.role === "control" && Object.hasOwn(fixedExits, port.label);
  return fixed ? t(fixedExits[port.label as keyof typeof fixedExits]) : port.label;
}
