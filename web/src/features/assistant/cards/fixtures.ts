import type { JsonRecord } from "@/flow/json";
import { component, edge, field, output } from "@/flow/fixtures/build";
import { newAnswer } from "../model/messages";
import type { AssistantMessage, Ending, FieldEdit, Proposal } from "../model/types";

/** Messages for tests. */
export function answer(init: Partial<AssistantMessage> = {}): AssistantMessage {
  return { ...newAnswer("m1", 0), status: "complete", ...init };
}

export function ending(init: Partial<Ending> = {}): Ending {
  return {
    usage: { input_tokens: 1234, output_tokens: 340, total_tokens: 1574 },
    duration_seconds: 3.1,
    provider: "OpenAI",
    model_name: "gpt-5.4",
    ...init,
  };
}

export function edit(init: Partial<FieldEdit> = {}): FieldEdit {
  return {
    id: "e1",
    componentId: "Agent-1",
    componentType: "Agent",
    field: "system_prompt",
    oldValue: "Be long",
    newValue: "Be short",
    description: "So that it says less.",
    status: "pending",
    ...init,
  };
}

export function flowOf(names: readonly string[]): JsonRecord {
  const nodes = names.map((name, index) =>
    component(`${name}-${index}`, {
      display_name: name,
      at: [index * 400, 0],
      template: { input_value: field("input_value", { input_types: ["Message"] }) },
      outputs: [output("message", ["Message"])],
    }),
  );
  const edges = names.slice(1).map((name, index) =>
    edge(`${names[index] ?? ""}-${index}`, "message", `${name}-${index + 1}`, "input_value"),
  );
  return { name: "A chatbot", description: "", data: { nodes, edges } };
}

export function proposal(init: Partial<Proposal> = {}): Proposal {
  return {
    flow: flowOf(["ChatInput", "Agent", "ChatOutput"]),
    name: "A chatbot",
    nodes: 3,
    edges: 2,
    tail: [],
    status: "pending",
    mode: null,
    revertible: false,
    ...init,
  };
}
