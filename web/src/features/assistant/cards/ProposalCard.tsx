import { Check, Plus, Replace, Undo2, Workflow, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Tooltip } from "@/ui/Tooltip";
import type { Ending, Proposal } from "../model/types";
import type { CardActions } from "./actions";
import { FlowOutline } from "./FlowOutline";
import { Proof } from "./Proof";
import { Card, CardFoot, CardHead } from "./parts";

/** A whole flow that waits to be taken, beside what is there or in its place. */
export function ProposalCard({
  message,
  proposal,
  ending,
  streaming,
  actions,
}: {
  message: string;
  proposal: Proposal;
  ending: Ending | null;
  /** It may still be built anew: nobody takes what is about to change. */
  streaming: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const { status, flow, nodes, edges, tail, mode, revertible } = proposal;
  const dismissed = status === "dismissed";
  const pending = status === "pending";
  const card = useRef<HTMLElement>(null);
  return (
    <Card ref={card} label={t("assistant.cards.flow.title")} testId="assistant-proposal-card">
      <CardHead
        icon={<Workflow />}
        muted={dismissed}
        title={proposal.name || t("assistant.cards.flow.unnamed")}
      >
        <span className="text-2xs text-muted">
          {t("assistant.cards.flow.nodes", { count: nodes })} · {t("assistant.cards.flow.wires", { count: edges })}
        </span>
        <Proof ending={ending} />
      </CardHead>
      <FlowOutline flow={flow} label={t("assistant.cards.flow.parts")} muted={dismissed} />
      {tail.length > 0 && !dismissed ? (
        <p className="px-3 pb-2 text-muted">{t("assistant.cards.flow.tail", { count: tail.length })}</p>
      ) : null}
      <CardFoot>
        {pending ? <Taking message={message} streaming={streaming} actions={actions} /> : null}
        {status === "applied" ? (
          <span role="status" className="flex h-7 items-center gap-1.5 font-medium text-ok">
            <Check aria-hidden="true" className="size-3.5" />
            {mode === "replace" ? t("assistant.cards.flow.replaced") : t("assistant.cards.flow.added")}
          </span>
        ) : null}
        {dismissed ? (
          <span className="flex h-7 items-center text-muted">{t("assistant.cards.flow.dismissed")}</span>
        ) : null}
        {revertible ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<Undo2 aria-hidden="true" className="size-3.5" />}
            data-testid="assistant-flow-revert-button"
            onClick={() => {
              card.current?.focus({ preventScroll: true });
              actions.proposal(message, "revert");
            }}
          >
            {t("assistant.cards.flow.revert")}
          </Button>
        ) : null}
        {pending && streaming ? <span className="text-muted">{t("assistant.cards.flow.checking")}</span> : null}
      </CardFoot>
    </Card>
  );
}

function Taking({ message, streaming, actions }: { message: string; streaming: boolean; actions: CardActions }) {
  const { t } = useTranslation();
  const row = useRef<HTMLDivElement>(null);
  const { hoverProposal } = actions;
  // Whatever was pointed at is gone with its button.
  useEffect(() => () => hoverProposal(message, null), [hoverProposal, message]);
  const pointed = (mode: "add" | "replace") => ({
    onPointerEnter: () => hoverProposal(message, mode),
    onPointerLeave: () => hoverProposal(message, null),
    onFocus: () => hoverProposal(message, mode),
    onBlur: () => hoverProposal(message, null),
  });
  const settle = (what: "add" | "replace" | "dismiss"): void => {
    row.current?.closest("section")?.focus({ preventScroll: true });
    actions.proposal(message, what);
  };
  return (
    <div ref={row} className="flex flex-wrap gap-1.5">
      <Tooltip label={t("assistant.cards.flow.addHint")}>
        <Button
          size="sm"
          variant="primary"
          disabled={streaming}
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          data-testid="assistant-flow-add-button"
          onClick={() => settle("add")}
          {...pointed("add")}
        >
          {t("assistant.cards.flow.add")}
        </Button>
      </Tooltip>
      <Tooltip label={t("assistant.cards.flow.replaceHint")}>
        <Button
          size="sm"
          disabled={streaming}
          icon={<Replace aria-hidden="true" className="size-3.5" />}
          data-testid="assistant-flow-replace-button"
          onClick={() => settle("replace")}
          {...pointed("replace")}
        >
          {t("assistant.cards.flow.replace")}
        </Button>
      </Tooltip>
      <Button
        size="sm"
        variant="ghost"
        disabled={streaming}
        icon={<X aria-hidden="true" className="size-3.5" />}
        data-testid="assistant-flow-dismiss-button"
        onClick={() => settle("dismiss")}
      >
        {t("assistant.cards.flow.dismiss")}
      </Button>
    </div>
  );
}
