import { ArrowLeft, ArrowLeftRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FlowDiff, VersionEntry } from "@/api/types";
import { Button, IconButton } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { FlowDiffView } from "@/ui/FlowDiffView";
import { Select } from "@/ui/Select";
import { SkeletonRows } from "@/ui/Skeleton";
import { useSideName } from "../useSideName";
import { DRAFT, type Shown, type Side, sideId } from "../views";

/** Two sides to choose, and what differs between them; the canvas shows the same in colours. */
export function ComparePanel({
  entries,
  from,
  to,
  diff,
  error,
  onShow,
  onNode,
}: {
  entries: readonly VersionEntry[];
  from: Side;
  to: Side;
  diff: FlowDiff | null;
  error: unknown;
  onShow: (shown: Shown) => void;
  onNode: (id: string) => void;
}) {
  const { t } = useTranslation();
  const sideName = useSideName();
  const sides: Side[] = [DRAFT, ...entries.map((entry): Side => ({ kind: "version", entry }))];
  const options = sides.map((side) => ({
    value: sideId(side),
    label:
      side.kind === "version" && side.entry.description
        ? `${sideName(side)} · ${side.entry.description}`
        : sideName(side),
  }));
  const pick = (id: string): Side => sides.find((side) => sideId(side) === id) ?? DRAFT;
  return (
    <div className="space-y-4 p-4">
      <Button
        variant="ghost"
        size="sm"
        icon={<ArrowLeft aria-hidden="true" className="size-3.5" />}
        onClick={() => onShow(DRAFT)}
      >
        {t("flow.versions.all")}
      </Button>
      <div className="flex items-center gap-1.5">
        <Select
          aria-label={t("flow.versions.from")}
          value={sideId(from)}
          options={options}
          onChange={(id) => onShow({ kind: "compare", from: pick(id), to })}
        />
        <IconButton
          label={t("flow.versions.swap")}
          icon={<ArrowLeftRight className="size-4" />}
          onClick={() => onShow({ kind: "compare", from: to, to: from })}
        />
        <Select
          aria-label={t("flow.versions.to")}
          value={sideId(to)}
          options={options}
          onChange={(id) => onShow({ kind: "compare", from, to: pick(id) })}
        />
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {diff ? <FlowDiffView key={`${sideId(from)}${sideId(to)}`} diff={diff} onNode={onNode} /> : null}
      {!diff && !error ? <SkeletonRows rows={3} label={t("common.loading")} /> : null}
    </div>
  );
}
