import { RotateCcw, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatRun } from "@/flow/chatRun";
import type { RunProblem } from "@/flow/messages";
import { Button } from "@/ui/Button";
import { Spinner } from "@/ui/Spinner";
import { durationText } from "@/ui/figures";
import { Files } from "./Files";
import { ProblemNotice } from "./ProblemNotice";
import { QuestionCard } from "./QuestionCard";
import type { ChatSource } from "./source";

/** How the run stands, at the end of the conversation. */
export function RunStatus({
  source,
  session,
  run,
  problems,
  answered,
  answerless,
  onAgain,
}: {
  source: ChatSource;
  session: string;
  run: ChatRun | null;
  problems: RunProblem[];
  /** The last message is the flow's, and says itself how it ended. */
  answered: boolean;
  /** The flow has no Chat Output. */
  answerless: boolean;
  /** Null where there is nothing to ask again. */
  onAgain: (() => void) | null;
}) {
  const { t } = useTranslation();
  if (!run) return null;
  return (
    <div className="space-y-3 empty:hidden">
      {run.questions.map((question) => (
        <QuestionCard key={question.requestId} source={source} session={session} question={question} />
      ))}
      {problems.length > 0 ? (
        <div role="alert" className="space-y-2">
          {problems.map((problem, index) => (
            <ProblemNotice key={index} problem={problem} />
          ))}
        </div>
      ) : null}
      {run.phase === "lost" ? (
        <div role="alert" className="flex gap-2.5 rounded-lg border border-warn/50 bg-warn-soft p-3 text-sm">
          <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          <div>
            <p className="font-medium">{t("playground.lostTitle")}</p>
            <p className="text-muted">{t("playground.lost")}</p>
            <p className="mt-1 flex items-center gap-2 text-xs text-muted">
              <Spinner />
              {t("playground.reconnecting")}
            </p>
          </div>
        </div>
      ) : null}
      {run.phase === "over" ? (
        <>
          {run.outcome === "failed" && onAgain ? (
            <Button size="sm" icon={<RotateCcw aria-hidden="true" className="size-3.5" />} onClick={onAgain}>
              {t("playground.tryAgain")}
            </Button>
          ) : null}
          {run.outcome === "stopped" && !answered ? (
            <p className="text-xs text-muted">{t("playground.stoppedAdvice")}</p>
          ) : null}
          {run.outcome === "completed" && answerless ? (
            <p className="text-xs text-muted">{t("playground.noOutput")}</p>
          ) : null}
        </>
      ) : run.phase !== "lost" && run.questions.length === 0 ? (
        <p className="flex items-center gap-2 text-xs text-muted">
          <Spinner />
          {run.stopping ? t("playground.stopping") : t("playground.running")}
          <Elapsed since={run.startedAt} />
        </p>
      ) : null}
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const { i18n } = useTranslation();
  const [spent, setSpent] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSpent(Math.max(0, Date.now() - since)), 100);
    return () => clearInterval(timer);
  }, [since]);
  return spent < 1000 ? null : (
    <span className="tabular-nums">{durationText(Math.floor(spent / 100) * 100, i18n.language)}</span>
  );
}

/** What was said and is on its way; it looks like a message and becomes one. */
export function PendingMessage({ text, files }: { text: string; files: string[] }) {
  const { t } = useTranslation();
  return (
    <article aria-label={t("playground.you")} aria-busy="true" className="flex gap-3 text-muted">
      <span className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
        <Spinner />
      </span>
      <div className="min-w-0 flex-1 space-y-2">
        <p className="flex min-h-7 items-center text-sm font-medium">{t("playground.you")}</p>
        <p className="text-sm break-words whitespace-pre-wrap">{text}</p>
        <Files paths={files} />
      </div>
    </article>
  );
}
