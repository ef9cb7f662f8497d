import { CircleAlert, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import type { ComponentResult } from "../model/types";
import type { CardActions } from "./actions";
import { ComponentCode } from "./ComponentCode";
import { Card, CardFoot, CardHead, Fold } from "./parts";

/** The model could not write it: what to do, and for those who want to know, why. */
export function ValidationFailed({
  message,
  component,
  busy,
  actions,
}: {
  message: string;
  component: ComponentResult;
  busy: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Card label={t("assistant.cards.component.failedTitle")} testId="assistant-validation-failed">
      <CardHead icon={<CircleAlert className="text-danger" />} title={t("assistant.cards.component.failedTitle")}>
        {component.attempts !== null && component.attempts > 1 ? (
          <span className="text-2xs text-muted">
            {t("assistant.cards.component.attempts", { count: component.attempts })}
          </span>
        ) : null}
      </CardHead>
      <div className="space-y-2 px-3 pb-2">
        <p className="text-sm text-muted">{t("assistant.cards.component.failed")}</p>
        {component.error ? (
          <Fold title={t("assistant.cards.component.errorDetails")}>
            <p
              role="group"
              tabIndex={0}
              aria-label={t("assistant.cards.component.errorDetails")}
              className="scroll-thin max-h-40 overflow-auto break-words whitespace-pre-wrap text-ink focus-visible:-outline-offset-2"
            >
              {component.error}
            </p>
          </Fold>
        ) : null}
      </div>
      {shown ? <ComponentCode code={component.code} /> : null}
      <CardFoot>
        <Button
          size="sm"
          variant="primary"
          disabled={busy}
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
          data-testid="assistant-retry-button"
          onClick={() => actions.retry(message)}
        >
          {t("assistant.cards.tryAgain")}
        </Button>
        {component.code ? (
          <Button
            size="sm"
            aria-expanded={shown}
            data-testid="assistant-view-code-button"
            onClick={() => setShown(!shown)}
          >
            {shown ? t("assistant.cards.component.hideCode") : t("assistant.cards.component.viewCode")}
          </Button>
        ) : null}
      </CardFoot>
    </Card>
  );
}
