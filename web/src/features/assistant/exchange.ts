import i18next from "i18next";
import type { AssistantRequest } from "@/api/assistant";
import { asApiError } from "@/api/error";
import { explainError } from "@/ui/explainError";
import type { AssistEvent, Failure, TurnRequest } from "./model/types";

/** Words that came together are one. */
export function joined(events: readonly AssistEvent[]): AssistEvent[] {
  const list: AssistEvent[] = [];
  for (const event of events) {
    const last = list.at(-1);
    if (event.event === "token" && last?.event === "token")
      list[list.length - 1] = { event: "token", chunk: last.chunk + event.chunk };
    else list.push(event);
  }
  return list;
}

export function bodyOf(flowId: string, request: TurnRequest): AssistantRequest {
  const { input, sessionId, model, historyLimit, iterationsLimit, component } = request;
  return {
    flow_id: flowId,
    input_value: input,
    session_id: sessionId,
    ...(model ? { provider: model.provider, model_name: model.name } : {}),
    ...(historyLimit === null ? {} : { history_limit: historyLimit }),
    ...(iterationsLimit === null ? {} : { iterations_limit: iterationsLimit }),
    ...(component ? { component_id: component.id } : {}),
    ...(component?.field ? { field_name: component.field } : {}),
  };
}

/** In the server's words where it said something, and what to do about it. */
export function failureOf(error: unknown): Failure {
  const { sentence, advice } = explainError(error, i18next.t);
  const gone = asApiError(error).code === "not_found";
  return {
    message: gone ? i18next.t("assistant.panel.flowGone") : sentence,
    // What the server said stands for itself where there is nothing else to say.
    detail: advice === i18next.t("errors.advice.other") ? null : { step: "", recommendation: advice },
  };
}
