import "../status.css";
import { Ban, CircleAlert, CircleCheck, Clock, Hand, Minus, Snowflake, TriangleAlert } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { lineIn } from "@/flow/nodeCode";
import type { NodeRun, NodeState } from "@/flow/runState";
import { openCode, useHasCode } from "@/stores/editor/codeOpen";
import { serverNow, useNodeRun } from "@/stores/run";
import { Elapsed } from "@/ui/Elapsed";
import { costText, durationText, tokensText } from "@/ui/figures";
import { Spinner } from "@/ui/Spinner";

export const nodeStateKeys = {
  queued: "runs.node.queued",
  running: "runs.node.running",
  done: "runs.node.done",
  stale: "runs.node.stale",
  error: "runs.node.error",
  skipped: "runs.node.skipped",
  waiting: "runs.node.waiting",
  frozen: "runs.node.frozen",
  cancelled: "runs.node.cancelled",
} as const satisfies Record<Exclude<NodeState, "idle">, string>;

function Sign({ state }: { state: Exclude<NodeState, "idle"> }): ReactNode {
  switch (state) {
    case "queued":
      return <Clock aria-hidden="true" />;
    case "running":
      return <Spinner />;
    case "done":
      return <CircleCheck aria-hidden="true" />;
    case "stale":
      return <TriangleAlert aria-hidden="true" />;
    case "error":
      return <CircleAlert aria-hidden="true" />;
    case "skipped":
      return <Minus aria-hidden="true" />;
    case "waiting":
      return <Hand aria-hidden="true" />;
    case "frozen":
      return <Snowflake aria-hidden="true" />;
    case "cancelled":
      return <Ban aria-hidden="true" />;
  }
}

/** How the last run of a node went, laid over its card: a sign with its figures, an edge, and the cause of a failure. */
export const NodeStatus = memo(function NodeStatus({ flowId, nodeId }: { flowId: string; nodeId: string }) {
  const { t } = useTranslation();
  const run = useNodeRun(flowId, nodeId);
  if (run.state === "idle") return null;
  const state = t(nodeStateKeys[run.state]);
  return (
    <div className="ff-run" data-run-state={run.state}>
      <span className="ff-run-badge" title={state}>
        <Sign state={run.state} />
        <span className="sr-only">{state}</span>
        <Figures run={run} />
      </span>
      {run.error && run.state === "error" ? (
        <p className="ff-run-cause" title={[run.error.message, run.error.advice].filter(Boolean).join("\n")}>
          <CircleAlert aria-hidden="true" className="size-3 shrink-0" />
          <span>{run.error.message}</span>
          <ToLine nodeId={nodeId} message={run.error.message} />
        </p>
      ) : null}
    </div>
  );
});

/** Leads to the line of the person's own code that the failure speaks of. */
function ToLine({ nodeId, message }: { nodeId: string; message: string }) {
  const { t } = useTranslation();
  const line = lineIn(message);
  const has = useHasCode(nodeId);
  if (line === null || !has) return null;
  return (
    <button
      type="button"
      className="nodrag nopan ml-auto shrink-0 rounded-sm underline"
      aria-label={t("editor.code.openAt", { line })}
      onClick={(event) => {
        event.stopPropagation();
        openCode(nodeId, line);
      }}
    >
      {t("editor.code.line", { line })}
    </button>
  );
}

function Figures({ run }: { run: NodeRun }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  if (run.state === "running") {
    return (
      <span className="ff-run-figures flex gap-1">
        {run.of === null ? null : <span>{t("runs.node.roundsOf", { count: run.of })}</span>}
        {run.rounds > 1 ? <span>{t("runs.node.rounds", { count: run.rounds })}</span> : null}
        {run.startedAt === null ? null : <Elapsed since={run.startedAt} now={serverNow} />}
      </span>
    );
  }
  if (run.state === "waiting" || run.state === "stale" || run.state === "frozen") {
    return <span className="ff-run-figures">{t(nodeStateKeys[run.state])}</span>;
  }
  const parts = [
    run.rounds > 1 ? t("runs.node.rounds", { count: run.rounds }) : null,
    run.ms === null ? null : durationText(run.ms, language),
    run.usage ? tokensText(run.usage, language) : null,
    run.usage?.cost ? costText(run.usage.cost, language) : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : <span className="ff-run-figures truncate">{parts.join(" · ")}</span>;
}
