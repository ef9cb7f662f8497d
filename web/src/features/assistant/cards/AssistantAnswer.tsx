import { Bot, Drama, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import type { AssistantMessage } from "../model/types";
import type { CardActions } from "./actions";
import { answerText } from "./answer";
import { AnswerText } from "./AnswerText";
import { BuildTasks } from "./BuildTasks";
import { ComponentCard } from "./ComponentCard";
import { CopyAnswer } from "./CopyAnswer";
import { EditCarousel } from "./EditCarousel";
import { Endings } from "./Endings";
import { FailureCard } from "./FailureCard";
import { FileCard } from "./FileCard";
import { PlanCard } from "./PlanCard";
import { PreviewCard } from "./PreviewCard";
import { Progress } from "./Progress";
import { ProposalCard } from "./ProposalCard";
import { RestoreAction } from "./RestoreAction";
import { isWritingComponent, stepLabel } from "./steps";
import { UsageBadge } from "./UsageBadge";
import { ValidationFailed } from "./ValidationFailed";

export interface AnswerProps {
  message: AssistantMessage;
  newest: boolean;
  busy: boolean;
  restorable: boolean;
  actions: CardActions;
}

/** An answer: what was done, what was said, what waits for a yes, and what it cost. */
export function AssistantAnswer({ message, newest, busy, restorable, actions }: AnswerProps) {
  const { t } = useTranslation();
  const { id, status, ending, component, plan, proposal, edits, files, failure, restore } = message;
  const streaming = status === "streaming";
  const writing = streaming && isWritingComponent(message.progress?.step ?? null, message.done);
  // While a component is written, what is said is in its progress.
  const text = writing ? "" : answerText(message);
  return (
    <>
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-0.5">
        <span
          aria-hidden="true"
          className="flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent"
        >
          <Bot className="size-3.5" />
        </span>
        <span className="text-xs font-medium">{t("assistant.cards.assistant")}</span>
        {ending?.rehearsal ? (
          <span title={t("assistant.cards.rehearsalHint")}>
            <Badge tone="warn">
              <Drama aria-hidden="true" className="size-3" />
              {t("assistant.cards.rehearsal")}
            </Badge>
          </span>
        ) : null}
        {ending ? <UsageBadge ending={ending} /> : null}
        {!streaming && message.content.trim() !== "" ? <CopyAnswer text={message.content} /> : null}
      </div>
      {newest ? <Announcement message={message} /> : null}
      <div className="space-y-2 pt-0.5">
        <BuildTasks tasks={message.tasks} working={message.working} streaming={streaming} actions={actions} />
        {text.trim() === "" ? null : <AnswerText source={text} />}
        {streaming ? <Progress message={message} /> : null}
        {failure ? (
          <FailureCard message={id} failure={failure} newest={newest} busy={busy} actions={actions} />
        ) : null}
        {status === "cancelled" ? <Cancelled id={id} busy={busy} actions={actions} /> : null}
        {component && !component.validated ? (
          <ValidationFailed message={id} component={component} busy={busy} actions={actions} />
        ) : null}
        {component?.validated ? <ComponentCard message={id} component={component} actions={actions} /> : null}
        {edits.length > 0 ? (
          <EditCarousel message={id} edits={edits} streaming={streaming} actions={actions} />
        ) : null}
        {plan ? <PlanCard message={id} plan={plan} busy={busy} actions={actions} /> : null}
        {proposal ? (
          <ProposalCard message={id} proposal={proposal} ending={ending} streaming={streaming} actions={actions} />
        ) : (
          <PreviewCard message={message} />
        )}
        {files.map((file) => (
          <FileCard key={file.path} message={id} file={file} actions={actions} />
        ))}
        {isSilent(message) ? <p className="text-sm text-muted italic">{t("assistant.cards.noAnswer")}</p> : null}
        {ending ? <Endings ending={ending} content={message.content} actions={actions} /> : null}
        {restore && !streaming && (restorable || restore.reverted) ? (
          <RestoreAction message={id} reverted={restore.reverted} busy={busy} actions={actions} />
        ) : null}
      </div>
    </>
  );
}

/** It ended and left nothing to see. */
function isSilent(message: AssistantMessage): boolean {
  return (
    message.status === "complete" &&
    message.content.trim() === "" &&
    message.tasks.length + message.edits.length + message.files.length === 0 &&
    !message.component &&
    !message.plan &&
    !message.proposal &&
    !message.preview
  );
}

/** One line for those who listen: the step of now, not every word. What comes of it the conversation says. */
function Announcement({ message }: { message: AssistantMessage }) {
  const { t } = useTranslation();
  const { status, progress } = message;
  const attempt =
    progress && progress.attempt > 1
      ? t("assistant.cards.attempt", {
          n: progress.attempt,
          max: Math.max(progress.attempt, progress.maxAttempts),
        })
      : "";
  return (
    <p role="status" className="sr-only">
      {status === "streaming" ? `${t(stepLabel(progress?.step ?? "generating"))} ${attempt}`.trim() : null}
      {status === "cancelled" ? t("assistant.cards.stopped") : null}
    </p>
  );
}

function Cancelled({ id, busy, actions }: { id: string; busy: boolean; actions: CardActions }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      <span className="italic">{t("assistant.cards.cancelled")}</span>
      <Button
        size="sm"
        variant="ghost"
        disabled={busy}
        icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
        data-testid="assistant-retry-button"
        onClick={() => actions.retry(id)}
      >
        {t("assistant.cards.tryAgain")}
      </Button>
    </div>
  );
}
