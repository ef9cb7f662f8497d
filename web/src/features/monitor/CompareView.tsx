import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DetailedRun, runDetailQuery } from "@/api/runs";
import { compareRuns, type NodePair, type OutputPair } from "@/flow/runCompare";
import { type NodeSteps, outputTitle } from "@/flow/runDetail";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { fullTime } from "@/ui/time";
import { SkeletonRows } from "@/ui/Skeleton";
import { Figures } from "./Figures";
import { stepStateKeys } from "./runText";
import { RunStatusText, StepSign } from "./StateSign";
import { BackButton } from "./RunView";
import { TextDiff } from "./TextDiff";

/** Two runs side by side, node by node. */
export function CompareView({
  a,
  b,
  onBack,
  onRun,
  onSwap,
  onNode,
}: {
  a: string;
  b: string;
  onBack: () => void;
  onRun: (runId: string) => void;
  onSwap: () => void;
  onNode?: ((node: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const left = useQuery(runDetailQuery(a));
  const right = useQuery(runDetailQuery(b));
  const [onlyDiffering, setOnlyDiffering] = useState(false);
  const pairs = useMemo(
    () => (left.data && right.data ? compareRuns(left.data.detail, right.data.detail) : null),
    [left.data, right.data],
  );
  const shown = pairs?.filter((pair) => pair.differs || !onlyDiffering) ?? [];
  const differing = pairs?.filter((pair) => pair.differs).length ?? 0;
  const error = left.error ?? right.error;
  return (
    <section aria-label={t("runs.comparing")} className="flex h-full min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-3 border-b border-line px-2 py-1.5 text-xs">
        <BackButton onBack={onBack} />
        <h2 className="font-semibold">{t("runs.comparing")}</h2>
        {pairs ? <span className="text-muted">{t("runs.differing", { count: differing })}</span> : null}
        <span className="min-w-0 flex-1" />
        <label className="flex items-center gap-1.5">
          <Checkbox checked={onlyDiffering} onChange={setOnlyDiffering} aria-label={t("runs.onlyDiffering")} />
          <span aria-hidden="true">{t("runs.onlyDiffering")}</span>
        </label>
        <Button size="sm" icon={<ArrowLeftRight aria-hidden="true" className="size-3.5" />} onClick={onSwap}>
          {t("flow.versions.swap")}
        </Button>
      </header>
      <div className="scroll-thin min-h-0 flex-1 overflow-auto p-3">
        {left.data && right.data ? (
          <div className="grid grid-cols-2 gap-x-4 pb-2">
            <RunHead loaded={left.data} onRun={onRun} />
            <RunHead loaded={right.data} onRun={onRun} />
          </div>
        ) : error ? (
          <ErrorNotice
            error={error}
            onRetry={() => {
              void left.refetch();
              void right.refetch();
            }}
          />
        ) : (
          <SkeletonRows rows={4} label={t("common.loading")} />
        )}
        {pairs && shown.length === 0 ? <p className="text-sm text-muted">{t("flow.diff.identical")}</p> : null}
        <ul className="space-y-2">
          {shown.map((pair) => (
            <PairView key={pair.node} pair={pair} onNode={onNode} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function RunHead({ loaded: { run, detail }, onRun }: { loaded: DetailedRun; onRun: (runId: string) => void }) {
  const { t, i18n } = useTranslation();
  return (
    <div className="min-w-0 space-y-1 text-xs">
      <div className="flex flex-wrap items-center gap-x-2">
        <RunStatusText status={run.status} />
        <button
          type="button"
          onClick={() => onRun(run.id)}
          className="truncate rounded-sm text-accent hover:underline"
        >
          {fullTime(run.created_at, i18n.language)}
        </button>
      </div>
      {detail.input === null ? null : (
        <p className="truncate text-muted" title={detail.input}>
          {t("runs.givenInput", { text: detail.input })}
        </p>
      )}
    </div>
  );
}

function PairView({ pair, onNode }: { pair: NodePair; onNode: ((node: string) => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <li className={cx("rounded-lg border p-2", pair.differs ? "border-warn/50" : "border-line")}>
      <div className="flex items-center gap-2 text-xs">
        {onNode ? (
          <button
            type="button"
            onClick={() => onNode(pair.node)}
            className="truncate rounded-sm font-medium hover:underline"
          >
            {pair.name}
          </button>
        ) : (
          <span className="truncate font-medium">{pair.name}</span>
        )}
        <Badge tone={pair.differs ? "warn" : "neutral"}>
          {pair.differs ? t("runs.different") : t("runs.same")}
        </Badge>
      </div>
      <div className="mt-1 grid grid-cols-2 gap-x-4">
        <Side node={pair.a} />
        <Side node={pair.b} />
      </div>
      {pair.outputs
        .filter((output) => !output.same)
        .map((output) => (
          <OutputDiff key={output.name} output={output} />
        ))}
    </li>
  );
}

function Side({ node }: { node: NodeSteps | null }) {
  const { t } = useTranslation();
  if (!node) return <span className="text-2xs text-muted italic">{t("runs.notInRun")}</span>;
  return (
    <span className="flex flex-wrap items-center gap-1.5 text-2xs">
      <StepSign state={node.state} />
      {t(stepStateKeys[node.state])}
      {node.steps.length > 1 ? <span>{t("runs.node.rounds", { count: node.steps.length })}</span> : null}
      <Figures ms={node.ms} usage={node.usage} />
      {node.error ? <span className="text-danger">{node.error.message}</span> : null}
    </span>
  );
}

function OutputDiff({ output }: { output: OutputPair }) {
  const { t } = useTranslation();
  return (
    <div className="mt-2 space-y-1">
      <h3 className="text-2xs font-medium text-muted">{outputTitle(output.name)}</h3>
      <TextDiff before={output.a ?? ""} after={output.b ?? ""} label={outputTitle(output.name)} />
      {output.cut ? <p className="text-2xs text-muted">{t("runs.cutCompare")}</p> : null}
    </div>
  );
}
