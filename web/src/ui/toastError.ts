import i18next from "i18next";
import { explainError } from "./explainError";
import { showToast } from "./toasts";

export function toastError(error: unknown): void {
  const { sentence, advice, details } = explainError(error, i18next.t);
  const request = details.find((row) => row.label === i18next.t("errors.requestId"));
  showToast({
    tone: "error",
    message: sentence,
    detail: request ? `${advice} ${request.label}: ${request.value}` : advice,
    duration: 10_000,
  });
}
