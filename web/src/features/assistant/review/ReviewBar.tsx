import { Check, Plus, Replace, Undo2, X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { keepTurn, undoTurn } from "@/stores/editor/turns";
import type { Editor } from "@/stores/editor/state";
import { setHoveredMode } from "@/stores/review";
import { Button } from "@/ui/Button";
import { Tooltip } from "@/ui/Tooltip";
import type { ReviewActions, ReviewSummary } from "./derive";

export interface ReviewBarProps {
  editor: Editor;
  review: ReviewSummary;
  actions: ReviewActions;
}

/** Over the canvas, at its top: what waits to be looked at. Stands in the canvas' own box. */
export function ReviewBar({ editor, review, actions }: ReviewBarProps) {
  const { t } = useTranslation();
  const { message, proposed, edits, changes } = review;
  return (
    <div
      role="region"
      aria-label={t("assistant.review.bar")}
      data-testid="assistant-review-bar"
      className="absolute top-3 left-1/2 z-10 flex max-w-[calc(100%-24px)] -translate-x-1/2 flex-col gap-1 rounded-lg border border-line bg-raised p-1 text-xs shadow-2"
    >
      {proposed > 0 ? (
        <Row text={t("assistant.review.proposed", { count: proposed })}>
          <Choice
            label={t("assistant.review.add")}
            hint={t("assistant.review.addHint")}
            icon={<Plus className="size-3.5" />}
            primary
            mode="add"
            onClick={() => actions.proposal(message, "add")}
          />
          <Choice
            label={t("assistant.review.replace")}
            hint={t("assistant.review.replaceHint")}
            icon={<Replace className="size-3.5" />}
            mode="replace"
            onClick={() => actions.proposal(message, "replace")}
          />
          <Choice label={t("assistant.review.dismiss")} icon={<X className="size-3.5" />} onClick={() => actions.proposal(message, "dismiss")} />
        </Row>
      ) : null}
      {edits > 0 ? (
        <Row text={t("assistant.review.edits", { count: edits })}>
          <Choice
            label={edits === 1 ? t("assistant.review.accept") : t("assistant.review.acceptAll")}
            icon={<Check className="size-3.5" />}
            primary
            onClick={() => actions.edit(message, "all", "accept")}
          />
          <Choice
            label={edits === 1 ? t("assistant.review.dismiss") : t("assistant.review.dismissAll")}
            icon={<X className="size-3.5" />}
            onClick={() => actions.edit(message, "all", "dismiss")}
          />
        </Row>
      ) : null}
      {changes > 0 ? (
        <Row text={t("assistant.review.changes", { count: changes })}>
          <Choice
            label={t("assistant.review.keep")}
            hint={t("assistant.review.keepHint")}
            icon={<Check className="size-3.5" />}
            primary={proposed + edits === 0}
            onClick={() => keepTurn(editor, message)}
          />
          <Choice
            label={t("assistant.review.takeBack")}
            hint={t("assistant.review.takeBackHint")}
            icon={<Undo2 className="size-3.5" />}
            onClick={() => undoTurn(editor, message)}
          />
        </Row>
      ) : null}
    </div>
  );
}

function focusCanvas(): void {
  // Once the bar is gone, and not while React takes it out.
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".ff-canvas")?.focus({ preventScroll: true }));
}

function Row({ text, children }: { text: string; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  // Whoever pressed a button that is gone now goes on in the canvas.
  useLayoutEffect(() => {
    const row = root.current;
    return () => {
      setHoveredMode(null);
      if (row?.contains(document.activeElement)) focusCanvas();
    };
  }, []);
  return (
    <div ref={root} className="flex min-w-0 items-center gap-1">
      <p role="status" className="mr-auto min-w-0 truncate px-2 font-medium text-ink">
        {text}
      </p>
      {children}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  hint?: string;
  icon: ReactNode;
  primary?: boolean;
  /** What the canvas shows while somebody points at it. */
  mode?: "add" | "replace";
  onClick: () => void;
}

function Choice({ label, hint, icon, primary = false, mode, onClick }: ChoiceProps) {
  const button = (
    <Button
      size="sm"
      variant={primary ? "primary" : "ghost"}
      icon={icon}
      onClick={onClick}
      {...(mode
        ? {
            onPointerEnter: () => setHoveredMode(mode),
            onPointerLeave: () => setHoveredMode(null),
            onFocus: () => setHoveredMode(mode),
            onBlur: () => setHoveredMode(null),
          }
        : {})}
    >
      {label}
    </Button>
  );
  return hint === undefined ? button : <Tooltip label={hint}>{button}</Tooltip>;
}
