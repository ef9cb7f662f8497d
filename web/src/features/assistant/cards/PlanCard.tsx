import { Check, ListTodo, RotateCcw, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import type { PlanCard as Plan } from "../model/types";
import type { CardActions } from "./actions";
import { AnswerText } from "./AnswerText";
import { Card, CardFoot, CardHead, Fold } from "./parts";

/** What the assistant means to do. Nothing is done before it is agreed to. */
export function PlanCard({
  message,
  plan,
  busy,
  actions,
}: {
  message: string;
  plan: Plan;
  busy: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const { status, markdown } = plan;
  const settled = status === "approved" || status === "dismissed";
  const refining = status === "refining";
  // The buttons go with it: the focus stays with the card.
  const settle = (what: "approve" | "reset"): void => {
    card.current?.focus({ preventScroll: true });
    actions.plan(message, what);
  };
  return (
    <Card
      ref={card}
      label={t("assistant.cards.plan.title")}
      testId="assistant-plan-card"
      look={refining ? "open" : "plain"}
    >
      <CardHead
        icon={<ListTodo />}
        muted={refining || status === "dismissed"}
        title={
          refining
            ? t("assistant.cards.plan.refining")
            : status === "pending"
              ? t("assistant.cards.plan.pending")
              : t("assistant.cards.plan.title")
        }
      >
        {status === "approved" ? (
          <Badge tone="ok">
            <Check aria-hidden="true" className="size-3" />
            {t("assistant.cards.plan.approved")}
          </Badge>
        ) : null}
        {status === "dismissed" ? (
          <span className="text-muted line-through">{t("assistant.cards.plan.dismissed")}</span>
        ) : null}
      </CardHead>
      {refining ? <p className="px-3 pb-1.5 text-muted">{t("assistant.cards.plan.refiningHint")}</p> : null}
      <div className={cx("px-3 pb-2.5", (refining || settled) && "text-muted")}>
        {settled ? (
          <Fold title={t("assistant.cards.plan.show")}>
            <AnswerText source={markdown} />
          </Fold>
        ) : (
          <AnswerText source={markdown} />
        )}
      </div>
      {settled ? null : (
        <CardFoot>
          <Button
            size="sm"
            variant="primary"
            disabled={busy}
            icon={<Check aria-hidden="true" className="size-3.5" />}
            data-testid="assistant-plan-continue-button"
            onClick={() => settle("approve")}
          >
            {t("assistant.cards.plan.continue")}
          </Button>
          {refining ? (
            <Button
              size="sm"
              disabled={busy}
              icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
              data-testid="assistant-plan-reset-button"
              onClick={() => settle("reset")}
            >
              {t("assistant.cards.plan.reset")}
            </Button>
          ) : (
            <Button
              size="sm"
              disabled={busy}
              icon={<X aria-hidden="true" className="size-3.5" />}
              data-testid="assistant-plan-dismiss-button"
              onClick={() => actions.plan(message, "dismiss")}
            >
              {t("assistant.cards.plan.dismiss")}
            </Button>
          )}
        </CardFoot>
      )}
    </Card>
  );
}
