import { Check, History } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import type { CardActions } from "./actions";
import { isFocusLost } from "./focus";

/** The way back to the flow as it was before a turn. Asks first, here in its place. */
export function RestoreAction({
  message,
  reverted,
  busy,
  actions,
}: {
  message: string;
  reverted: boolean;
  busy: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const button = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const done = useRef<HTMLParagraphElement>(null);
  const asked = useRef(false);
  const open = asking && !reverted;
  useEffect(() => {
    // The focus goes with the question, and back again or on to what came of it; unless somebody took it elsewhere.
    if (open) cancel.current?.focus();
    else if (asked.current && isFocusLost()) (button.current ?? done.current)?.focus({ preventScroll: true });
    asked.current = open;
  }, [open]);

  const restore = async (): Promise<void> => {
    setWorking(true);
    setProblem(null);
    try {
      await actions.restore(message);
      setAsking(false);
    } catch (error) {
      setProblem(error);
    } finally {
      setWorking(false);
    }
  };

  if (reverted) {
    return (
      <p
        ref={done}
        tabIndex={-1}
        role="status"
        data-testid="assistant-revert-reverted"
        className="flex items-center gap-1.5 text-xs text-muted"
      >
        <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
        {t("assistant.cards.restore.done")}
      </p>
    );
  }
  if (!asking) {
    return (
      <div>
        <Button
          ref={button}
          size="sm"
          variant="ghost"
          disabled={busy}
          className="-ml-2 text-muted"
          icon={<History aria-hidden="true" className="size-3.5" />}
          data-testid="assistant-revert-button"
          onClick={() => setAsking(true)}
        >
          {t("assistant.cards.restore.button")}
        </Button>
      </div>
    );
  }
  return (
    <div
      role="group"
      aria-label={t("assistant.cards.restore.button")}
      data-testid="assistant-revert-confirm"
      className="space-y-2 rounded-lg border border-line bg-surface px-3 py-2 text-xs"
    >
      <p>{t("assistant.cards.restore.ask")}</p>
      {problem ? <ErrorNotice error={problem} /> : null}
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="sm"
          variant="primary"
          busy={working}
          data-testid="assistant-revert-confirm-button"
          onClick={() => void restore()}
        >
          {t("assistant.cards.restore.confirm")}
        </Button>
        <Button
          ref={cancel}
          size="sm"
          data-testid="assistant-revert-cancel"
          onClick={() => {
            setProblem(null);
            setAsking(false);
          }}
        >
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}
