import type { TFunction } from "i18next";
import { asApiError } from "@/api/error";
import { quoted } from "@/flow/words";
import { isMissingPart } from "@/lib/part";

export interface Explanation {
  sentence: string;
  advice: string;
  details: { label: string; value: string }[];
}

const adviceByCode = {
  missing_part: "errors.advice.missing_part",
  unreachable: "errors.advice.unreachable",
  unauthenticated: "errors.advice.unauthenticated",
  bad_credentials: "errors.advice.bad_credentials",
  forbidden: "errors.advice.forbidden",
  locked: "errors.advice.locked",
  not_found: "errors.advice.not_found",
  stale: "errors.advice.stale",
  name_taken: "errors.advice.name_taken",
  invalid: "errors.advice.invalid",
  invalid_flow: "errors.advice.invalid_flow",
  throttled: "errors.advice.throttled",
  busy: "errors.advice.busy",
  disk_full: "errors.advice.disk_full",
} as const;

const sentenceByCode = {
  missing_part: "errors.sentence.missing_part",
  unreachable: "errors.sentence.unreachable",
  unexpected: "errors.sentence.unexpected",
} as const;

const adviceByStatus = {
  413: "errors.advice.too_large",
  415: "errors.advice.wrong_kind",
} as const;

export function explainError(error: unknown, t: TFunction): Explanation {
  const problem = asApiError(error);
  const code = isMissingPart(error) ? "missing_part" : problem.code;
  const own = sentenceByCode[code as keyof typeof sentenceByCode];
  const sentence = own ? t(own) : quoted(problem.message) || t("errors.sentence.unexpected");
  const byStatus = adviceByStatus[problem.status as keyof typeof adviceByStatus];
  const byCode = adviceByCode[code as keyof typeof adviceByCode];
  const advice =
    problem.retryAfter !== null
      ? t("errors.advice.wait", { count: problem.retryAfter })
      : t(byStatus ?? byCode ?? "errors.advice.other");
  const details: Explanation["details"] = [];
  for (const field of problem.fields) {
    details.push({ label: field.field || t("errors.field"), value: field.message });
  }
  if (problem.status !== 0) details.push({ label: t("errors.code"), value: problem.code });
  if (problem.status > 0) details.push({ label: t("errors.status"), value: String(problem.status) });
  if (problem.requestId) details.push({ label: t("errors.requestId"), value: problem.requestId });
  if (own && problem.message) details.push({ label: t("errors.cause"), value: problem.message });
  return { sentence, advice, details };
}
