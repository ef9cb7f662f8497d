import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Eye, GitBranch, GitCompareArrows, MessageSquare, RotateCcw, Square } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cancelRun, type DetailedRun, isOver, runDetailQuery } from "@/api/runs";
import { byNode } from "@/flow/runDetail";
import { parseUsage } from "@/flow/runFigures";
import { Button, IconButton } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { RelativeTime } from "@/ui/RelativeTime";
import { SkeletonRows } from "@/ui/Skeleton";
import { toastError } from "@/ui/toastError";
import { Figures } from "./Figures";
import { ForkDialog } from "./ForkDialog";
import { nameIn } from "./OutputView";
import { RoundPicker } from "./RoundPicker";
import { kindKey } from "./runText";
import { RunStatusText } from "./StateSign";
import { StepView } from "./StepView";
import { TroubleNotice } from "./TroubleNotice";
import { useForking } from "./useForking";
import { Waterfall } from "./Waterfall";

interface RunViewProps {
  flowId: string;
  runId: string;
  onBack: () => void;
  onRun: (runId: string) => void;
  onCompare: (a: string, b: string) => void;
  onNode?: ((node: string) => void) | undefined;
  onShowRun?: ((runId: string) => void) | undefined;
  onSession?: ((session: string) => void) | undefined;
}

/** One run: how it went as a whole, when each node was at work, and what one of them did. */
export function RunView(props: RunViewProps) {
  const { t } = useTranslation();
  const query = useQuery(runDetailQuery(props.runId));
  return (
    <section aria-label={t("runs.one")} className="flex h-full min-h-0 flex-1 flex-col">
      {query.data ? (
        <Loaded {...props} loaded={query.data} seenAt={query.dataUpdatedAt} />
      ) : (
        <div className="space-y-3 p-3">
          <BackButton onBack={props.onBack} />
          {query.error ? (
            <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <SkeletonRows rows={4} label={t("common.loading")} />
          )}
        </div>
      )}
    </section>
  );
}

export function BackButton({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <IconButton
      size="sm"
      label={t("runs.back")}
      icon={<ArrowLeft aria-hidden="true" className="size-4" />}
      onClick={onBack}
    />
  );
}

function Loaded({
  flowId,
  runId,
  loaded: { run, detail },
  seenAt,
  onBack,
  onRun,
  onCompare,
  onNode,
  onShowRun,
  onSession,
}: RunViewProps & { loaded: DetailedRun; seenAt: number }) {
  const { t } = useTranslation();
  const nodes = useMemo(() => byNode(detail.steps), [detail]);
  const [picked, setPicked] = useState<string | null>(null);
  const [round, setRound] = useState<number | null>(null);
  const [forkFrom, setForkFrom] = useState<string | null>(null);
  const forking = useForking(flowId, onRun);
  const first =
    nodes.find((node) => node.state === "failed") ??
    nodes.findLast((node) => node.startedMs !== null) ??
    nodes[0] ??
    null;
  const node = nodes.find((item) => item.node === picked) ?? first;
  const step = node?.steps[round ?? node.steps.length - 1] ?? node?.steps[0];
  const over = isOver(run);
  // While it goes on, the time line reaches to when it was last heard of.
  const spent = over ? null : Math.max(0, seenAt - Date.parse(detail.startedAt));
  const kind = kindKey(run.kind);
  const { parent_id: parent } = run;
  const pick = (id: string): void => {
    setPicked(id);
    setRound(null);
    onNode?.(id);
  };

  return (
    <>
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-1.5 text-xs">
        <BackButton onBack={onBack} />
        <RunStatusText status={run.status} />
        <span className="text-muted">
          <RelativeTime value={run.created_at} />
          {kind ? ` · ${t(kind)}` : null}
        </span>
        <Figures
          ms={nodes.reduce<number | null>((most, { finishedMs }) => max(most, finishedMs), spent)}
          usage={run.input_tokens === null ? null : parseUsage(run)}
        />
        <span className="min-w-0 flex-1" />
        {over ? null : (
          <Button
            size="sm"
            icon={<Square aria-hidden="true" className="size-3 fill-current" />}
            onClick={() => cancelRun(runId).catch(toastError)}
          >
            {t("runs.button.stop")}
          </Button>
        )}
        {parent ? (
          <Button
            size="sm"
            icon={<GitCompareArrows aria-hidden="true" className="size-3.5" />}
            onClick={() => onCompare(parent, runId)}
          >
            {t("runs.compareParent")}
          </Button>
        ) : null}
        {onShowRun && over ? (
          <Button
            size="sm"
            icon={<Eye aria-hidden="true" className="size-3.5" />}
            onClick={() => onShowRun(runId)}
          >
            {t("runs.showOnCanvas")}
          </Button>
        ) : null}
        {onSession ? (
          <Button
            size="sm"
            icon={<MessageSquare aria-hidden="true" className="size-3.5" />}
            onClick={() => onSession(run.session_id)}
          >
            {t("runs.openSession")}
          </Button>
        ) : null}
        {over ? (
          <>
            <Button
              size="sm"
              icon={<GitBranch aria-hidden="true" className="size-3.5" />}
              onClick={() => setForkFrom(node?.node ?? "")}
            >
              {t("runs.fork.open")}
            </Button>
            <Button
              size="sm"
              busy={forking.busy}
              icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
              onClick={() => forking.start(runId, {}).catch(toastError)}
            >
              {t("runs.replay")}
            </Button>
          </>
        ) : null}
      </header>
      <div className="@container min-h-0 flex-1">
        <div className="flex h-full flex-col @4xl:flex-row">
          <div className="scroll-thin max-h-1/2 shrink-0 space-y-2 overflow-auto border-line p-2 @max-4xl:border-b @4xl:max-h-none @4xl:w-1/2 @4xl:border-r">
            {detail.input ? (
              <p className="truncate px-2 text-xs text-muted" title={detail.input}>
                {t("runs.givenInput", { text: detail.input })}
              </p>
            ) : null}
            {run.error && run.status !== "cancelled" && !nodes.some((item) => item.error) ? (
              <TroubleNotice trouble={{ message: run.error, advice: "", detail: "" }} />
            ) : null}
            {detail.leftOut > 0 ? (
              <p className="px-2 text-xs text-warn">{t("runs.leftOut", { count: detail.leftOut })}</p>
            ) : null}
            <Waterfall nodes={nodes} runMs={spent} selected={node?.node ?? null} onSelect={pick} />
          </div>
          <div className="scroll-thin min-h-0 flex-1 space-y-3 overflow-auto p-3">
            {node && step ? (
              <>
                <div className="flex flex-wrap items-center gap-2">
                  <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{node.name}</h2>
                  <RoundPicker steps={node.steps} current={step} onChoose={setRound} />
                </div>
                <StepView
                  key={`${node.node} ${step.iteration}`}
                  runId={runId}
                  step={step}
                  nameOf={(id) => nameIn(detail, id)}
                  onNode={pick}
                />
                {step.usage && step.calls.length === 0 && !detail.recordsCalls ? (
                  <p className="text-xs text-muted">{t("runs.callsNotKept")}</p>
                ) : null}
              </>
            ) : (
              <p className="text-sm text-muted">{t("runs.nothingRan")}</p>
            )}
          </div>
        </div>
      </div>
      <ForkDialog
        key={forkFrom}
        open={forkFrom !== null}
        from={forkFrom ?? ""}
        detail={detail}
        onClose={() => setForkFrom(null)}
        onFork={(fork) => forking.start(runId, fork)}
      />
    </>
  );
}

function max(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
