import { Check, ChevronLeft, ChevronRight, CircleAlert, PencilLine, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/ui/Button";
import type { FieldEdit } from "../model/types";
import type { CardActions } from "./actions";
import { Card, CardFoot, CardHead } from "./parts";
import { ValueDiff } from "./ValueDiff";

/** Changes to single fields, one at a time: what is there, what is to come, and whether to. */
export function EditCarousel({
  message,
  edits,
  streaming,
  actions,
}: {
  message: string;
  edits: readonly FieldEdit[];
  /** The assistant may still take some of them back. */
  streaming: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const pending = edits.filter((edit) => edit.status === "pending");
  const edit = edits.find(({ id }) => id === chosen) ?? pending[0] ?? edits[0];
  if (!edit) return null;
  const place = edits.indexOf(edit);
  const name = actions.nodeName(edit.componentId);
  const field = actions.fieldName(edit.componentId, edit.field) ?? edit.field;
  const shownName = name ?? (edit.componentType || edit.componentId);
  const go = (step: number): void => {
    const other = edits[(place + step + edits.length) % edits.length];
    if (other) setChosen(other.id);
  };
  const settle = (what: "accept" | "dismiss"): void => {
    // On to the next that waits; after the last the focus stays with the card.
    const next = [...edits.slice(place + 1), ...edits.slice(0, place)].find(({ status }) => status === "pending");
    if (!next) card.current?.focus({ preventScroll: true });
    setChosen(next?.id ?? edit.id);
    actions.edit(message, edit.id, what);
  };
  const settleAll = (what: "accept" | "dismiss"): void => {
    card.current?.focus({ preventScroll: true });
    setChosen(edit.id);
    actions.edit(message, "all", what);
  };
  return (
    <Card
      ref={card}
      label={t("assistant.cards.edits.label", { field, name: shownName })}
      testId="assistant-edit-card"
    >
      <CardHead
        icon={<PencilLine />}
        muted={pending.length === 0}
        title={
          name === null ? (
            shownName
          ) : (
            <button
              type="button"
              title={t("assistant.cards.tasks.show", { name })}
              className="rounded-sm text-left hover:underline"
              onClick={() => actions.showNode(edit.componentId)}
            >
              {name}
            </button>
          )
        }
      >
        <span className="min-w-0 flex-1 break-words text-muted">{field}</span>
        {edits.length > 1 ? (
          <span className="flex items-center">
            <IconButton
              size="sm"
              label={t("assistant.cards.edits.previous")}
              icon={<ChevronLeft className="size-4" />}
              onClick={() => go(-1)}
            />
            <span aria-live="polite" className="min-w-10 text-center text-2xs text-muted tabular-nums">
              {t("assistant.cards.edits.of", { n: place + 1, total: edits.length })}
            </span>
            <IconButton
              size="sm"
              label={t("assistant.cards.edits.next")}
              icon={<ChevronRight className="size-4" />}
              onClick={() => go(1)}
            />
          </span>
        ) : null}
      </CardHead>
      {edit.description ? <p className="px-3 pb-2 break-words text-muted">{edit.description}</p> : null}
      <ValueDiff
        key={edit.id}
        before={edit.oldValue}
        after={edit.newValue}
        label={t("assistant.cards.edits.diff", { field })}
      />
      <div className="-mt-px">
        <CardFoot>
          {edit.status === "pending" ? (
            <>
              <Button
                size="sm"
                variant="primary"
                disabled={streaming}
                icon={<Check aria-hidden="true" className="size-3.5" />}
                data-testid="assistant-edit-accept"
                onClick={() => settle("accept")}
              >
                {t("assistant.cards.edits.accept")}
              </Button>
              <Button
                size="sm"
                disabled={streaming}
                icon={<X aria-hidden="true" className="size-3.5" />}
                data-testid="assistant-edit-dismiss"
                onClick={() => settle("dismiss")}
              >
                {t("assistant.cards.edits.dismiss")}
              </Button>
            </>
          ) : (
            <Outcome status={edit.status} />
          )}
          {pending.length > 1 ? (
            <span className="ml-auto flex flex-wrap gap-1.5">
              <Button
                size="sm"
                variant="ghost"
                disabled={streaming}
                data-testid="assistant-edit-accept-all"
                onClick={() => settleAll("accept")}
              >
                {t("assistant.cards.edits.acceptAll", { count: pending.length })}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                disabled={streaming}
                data-testid="assistant-edit-dismiss-all"
                onClick={() => settleAll("dismiss")}
              >
                {t("assistant.cards.edits.dismissAll")}
              </Button>
            </span>
          ) : null}
        </CardFoot>
      </div>
    </Card>
  );
}

function Outcome({ status }: { status: Exclude<FieldEdit["status"], "pending"> }) {
  const { t } = useTranslation();
  if (status === "applied") {
    return (
      <span className="flex min-h-7 items-center gap-1.5 font-medium text-ok">
        <Check aria-hidden="true" className="size-3.5 shrink-0" />
        {t("assistant.cards.edits.applied")}
      </span>
    );
  }
  if (status === "failed") {
    return (
      <span className="flex min-h-7 items-center gap-1.5 text-danger">
        <CircleAlert aria-hidden="true" className="size-3.5 shrink-0" />
        {t("assistant.cards.edits.failed")}
      </span>
    );
  }
  return (
    <span className="flex min-h-7 items-center text-muted">
      {status === "withdrawn" ? t("assistant.cards.edits.withdrawn") : t("assistant.cards.edits.dismissed")}
    </span>
  );
}
