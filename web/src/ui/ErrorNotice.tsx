import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import { explainError } from "./explainError";

export interface ErrorNoticeProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

/** One sentence, what to do about it, and the rest behind a fold. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const { sentence, advice, details } = explainError(error, t);
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg border border-danger/40 bg-danger-soft p-3 text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words text-ink">{sentence}</p>
        <p className="text-muted">{advice}</p>
        {details.length > 0 ? (
          <details className="mt-1 text-xs text-muted">
            <summary className="w-fit rounded-sm">{t("common.details")}</summary>
            <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
              {details.map((row) => (
                <div key={row.label} className="contents">
                  <dt>{row.label}</dt>
                  <dd className="font-mono break-all text-ink">{row.value}</dd>
                </div>
              ))}
            </dl>
          </details>
        ) : null}
        {onRetry ? (
          <Button size="sm" className="mt-2" onClick={onRetry}>
            {t("common.retry")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
