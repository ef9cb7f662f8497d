import { useQuery } from "@tanstack/react-query";
import { CirclePlay } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { runDetailQuery } from "@/api/runs";
import { outputTitle, type RunDetail, type Shown } from "@/flow/runDetail";
import type { NodeOutput } from "@/flow/runState";
import { useNodeRun } from "@/stores/run";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";
import { ValueView } from "@/ui/ValueView";
import { RoundPicker } from "./RoundPicker";
import { StepView } from "./StepView";
import { TroubleNotice } from "./TroubleNotice";

/** What a node took in and gave out in the last run, or in the run that is asked for. */
export default function OutputView({
  flowId,
  nodeId,
  runId,
  onNode,
}: {
  flowId: string;
  nodeId: string;
  runId?: string | undefined;
  onNode?: ((node: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const live = useNodeRun(flowId, nodeId);
  const wanted = runId ?? live.runId;
  if (wanted === null) {
    return (
      <EmptyState icon={<CirclePlay />} title={t("runs.neverTitle")}>
        {t("runs.never")}
      </EmptyState>
    );
  }
  const going = runId === undefined && (live.state === "running" || live.state === "waiting");
  return (
    <div className="space-y-3 p-3">
      {live.state === "stale" && runId === undefined ? (
        <p className="rounded-md bg-warn-soft px-2.5 py-1.5 text-xs text-warn">{t("runs.outdated")}</p>
      ) : null}
      {going ? (
        <>
          {live.error ? <TroubleNotice trouble={live.error} node={nodeId} /> : null}
          {live.outputs.map((output) => (
            <LiveOutput key={output.name} output={output} />
          ))}
          <p role="status" className="text-xs text-muted">
            {t("runs.stillGoing")}
          </p>
        </>
      ) : (
        <Recorded key={`${wanted} ${nodeId}`} runId={wanted} nodeId={nodeId} onNode={onNode} />
      )}
    </div>
  );
}

function shownOf({ kind, value }: NodeOutput): Shown {
  const text = typeof value === "string";
  const shape = text ? "text" : kind === "dataframe" ? "table" : "json";
  return { kind: value === null || value === undefined ? "none" : shape, value, bytes: 0, cut: false };
}

function LiveOutput({ output }: { output: NodeOutput }) {
  const shown = useMemo(() => shownOf(output), [output]);
  return (
    <section className="space-y-1">
      <h4 className="text-xs font-medium">{outputTitle(output.name)}</h4>
      <ValueView shown={shown} name={output.name} />
    </section>
  );
}

function Recorded({
  runId,
  nodeId,
  onNode,
}: {
  runId: string;
  nodeId: string;
  onNode: ((node: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const query = useQuery(runDetailQuery(runId));
  const [chosen, setChosen] = useState<number | null>(null);
  const detail = query.data?.detail;
  const steps = useMemo(() => detail?.steps.filter((step) => step.node === nodeId) ?? [], [detail, nodeId]);
  if (!detail) {
    return query.error ? (
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <SkeletonRows rows={3} label={t("common.loading")} />
    );
  }
  const step = steps[chosen ?? steps.length - 1];
  if (!step) return <p className="text-sm text-muted">{t("runs.notInRun")}</p>;
  return (
    <>
      <RoundPicker steps={steps} current={step} onChoose={setChosen} />
      <StepView
        key={steps.indexOf(step)}
        runId={runId}
        step={step}
        nameOf={(node) => nameIn(detail, node)}
        onNode={onNode}
      />
    </>
  );
}

export function nameIn(detail: RunDetail, node: string): string {
  return detail.steps.find((step) => step.node === node)?.name ?? node;
}
