import { CircleAlert, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import type { ErrorDetail, Failure } from "../model/types";
import type { CardActions } from "./actions";
import { Fold } from "./parts";
import { stepLabel } from "./steps";

/** What went wrong in one sentence, what to do about it, and the rest behind a fold. */
export function FailureCard({
  message,
  failure,
  newest,
  busy,
  actions,
}: {
  message: string;
  failure: Failure;
  newest: boolean;
  busy: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const advice = failure.detail?.recommendation;
  return (
    <div
      role={newest ? "alert" : "group"}
      className="flex gap-2.5 rounded-lg border border-danger/40 bg-danger-soft p-3 text-sm"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 space-y-1.5">
        <p className="font-medium break-words whitespace-pre-wrap text-ink">
          {failure.message}
        </p>
        {advice && advice !== failure.message ? <p className="break-words text-muted">{advice}</p> : null}
        {failure.detail?.step ? <Details detail={failure.detail} actions={actions} /> : null}
        <Button
          size="sm"
          disabled={busy}
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
          data-testid="assistant-retry-button"
          onClick={() => actions.retry(message)}
        >
          {t("assistant.cards.tryAgain")}
        </Button>
      </div>
    </div>
  );
}

function Details({ detail, actions }: { detail: ErrorDetail; actions: CardActions }) {
  const { t } = useTranslation();
  const node = detail.component_id;
  const name = node ? actions.nodeName(node) : null;
  return (
    <Fold title={t("assistant.cards.details")} testId="assistant-error-details">
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-muted">
        <Fact term={t("assistant.cards.failure.step")}>{t(stepLabel(detail.step))}</Fact>
        {node ? (
          <Fact term={t("assistant.cards.failure.component")}>
            {name === null ? (
              node
            ) : (
              <button
                type="button"
                title={t("assistant.cards.tasks.show", { name })}
                className="rounded-sm text-left underline"
                onClick={() => actions.showNode(node)}
              >
                {name}
              </button>
            )}
          </Fact>
        ) : null}
        {detail.tool ? <Fact term={t("assistant.cards.failure.tool")}>{detail.tool}</Fact> : null}
        {detail.raw_cause ? (
          <Fact term={t("assistant.cards.failure.cause")} wide>
            <span
              role="group"
              tabIndex={0}
              aria-label={t("assistant.cards.failure.cause")}
              data-testid="assistant-error-details-raw-cause"
              className="scroll-thin block max-h-40 overflow-auto font-mono whitespace-pre-wrap focus-visible:-outline-offset-2"
            >
              {detail.raw_cause}
            </span>
          </Fact>
        ) : null}
      </dl>
    </Fold>
  );
}

function Fact({ term, wide = false, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className={cx(wide && "col-span-2")}>{term}</dt>
      <dd className={cx("min-w-0 break-words text-ink", wide && "col-span-2")}>{children}</dd>
    </>
  );
}
