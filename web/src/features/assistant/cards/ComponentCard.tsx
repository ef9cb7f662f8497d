import { Blocks, Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import type { ComponentResult } from "../model/types";
import type { CardActions } from "./actions";
import { ComponentCode } from "./ComponentCode";
import { isFocusLost } from "./focus";
import { Card, CardFoot, CardHead } from "./parts";

/** A component that passed every check: first the gate, then the card it can be taken from. */
export function ComponentCard({
  message,
  component,
  actions,
}: {
  message: string;
  component: ComponentResult;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const { className, code, gate } = component;
  const [shown, setShown] = useState(false);
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const card = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // Its button is gone.
    if (gate === "added" && pressed.current && isFocusLost()) card.current?.focus({ preventScroll: true });
    if (gate === "added") pressed.current = false;
  }, [gate]);

  const add = async (): Promise<void> => {
    pressed.current = true;
    setAdding(true);
    setProblem(null);
    try {
      await actions.addComponent(message);
    } catch (error) {
      setProblem(error);
    } finally {
      setAdding(false);
    }
  };

  if (gate === "ready") {
    return (
      <Card
        ref={card}
        label={t("assistant.cards.component.label", { name: className })}
        testId="assistant-component-card"
      >
        <CardHead icon={<Check />} title={t("assistant.cards.component.ready")}>
          <span className="min-w-40 flex-1 break-words text-muted">
            {t("assistant.cards.component.readyHint", { name: className })}
          </span>
          <Button
            size="sm"
            variant="primary"
            data-testid="assistant-continue-button"
            onClick={() => {
              card.current?.focus({ preventScroll: true });
              actions.continueComponent(message);
            }}
          >
            {t("assistant.cards.component.continue")}
          </Button>
        </CardHead>
      </Card>
    );
  }

  const lines = code.trimEnd().split("\n").length;
  const facts = [
    t("assistant.cards.component.lines", { count: lines }),
    component.attempts !== null && component.attempts > 1
      ? t("assistant.cards.component.attempts", { count: component.attempts })
      : null,
  ].filter((fact) => fact !== null);
  return (
    <Card
      ref={card}
      label={t("assistant.cards.component.label", { name: className })}
      testId="assistant-component-card"
    >
      <CardHead icon={<Blocks />} title={<code className="font-mono break-all">{className}</code>}>
        <Badge tone="ok">
          <Check aria-hidden="true" className="size-3" />
          {t("assistant.cards.component.checked")}
        </Badge>
        <span className="text-2xs text-muted">{facts.join(" · ")}</span>
      </CardHead>
      {shown ? <ComponentCode code={code} /> : null}
      {problem ? (
        <div className="px-3 pb-2">
          <ErrorNotice error={problem} />
        </div>
      ) : null}
      <CardFoot>
        {gate === "added" ? (
          <span role="status" className="flex h-7 items-center gap-1.5 font-medium text-ok">
            <Check aria-hidden="true" className="size-3.5" />
            {t("assistant.cards.component.added")}
          </span>
        ) : (
          <Button
            size="sm"
            variant="primary"
            busy={adding}
            data-testid="assistant-approve-button"
            onClick={() => void add()}
          >
            {t("assistant.cards.component.add")}
          </Button>
        )}
        <Button
          size="sm"
          aria-expanded={shown}
          data-testid="assistant-view-code-button"
          onClick={() => setShown(!shown)}
        >
          {shown ? t("assistant.cards.component.hideCode") : t("assistant.cards.component.viewCode")}
        </Button>
      </CardFoot>
    </Card>
  );
}
