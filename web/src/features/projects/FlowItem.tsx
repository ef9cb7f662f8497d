import { Link } from "@tanstack/react-router";
import { Globe, Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FlowHeader } from "@/api/types";
import type { FlowView } from "@/stores/preferences";
import { Badge } from "@/ui/Badge";
import { Checkbox } from "@/ui/Checkbox";
import { cx } from "@/ui/cx";
import { RelativeTime } from "@/ui/RelativeTime";
import { Tooltip } from "@/ui/Tooltip";
import { dragFlows } from "./drag";
import { FlowMenu } from "./FlowMenu";
import { FlowTile } from "./FlowTile";

export interface FlowItemProps {
  flow: FlowHeader;
  view: FlowView;
  selected: boolean;
  selecting: boolean;
  dragged: () => readonly FlowHeader[];
  onSelect: (selected: boolean, range: boolean) => void;
  onEdit: () => void;
}

function Marks({ flow }: { flow: FlowHeader }) {
  const { t } = useTranslation();
  return (
    <>
      {flow.locked ? (
        <Tooltip label={t("projects.lockedHint")}>
          <span role="img" aria-label={t("projects.locked")} className="flex text-muted">
            <Lock className="size-3.5" />
          </span>
        </Tooltip>
      ) : null}
      {flow.access_type === "PUBLIC" ? (
        <Tooltip label={t("projects.publicHint")}>
          <span role="img" aria-label={t("projects.public")} className="flex text-muted">
            <Globe className="size-3.5" />
          </span>
        </Tooltip>
      ) : null}
    </>
  );
}

function Tags({ tags, limit }: { tags: string[] | null; limit: number }) {
  if (!tags || tags.length === 0) return null;
  const rest = tags.length - limit;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, limit).map((tag) => (
        <Badge key={tag} className="min-w-0 max-w-28">
          <span className="truncate">{tag}</span>
        </Badge>
      ))}
      {rest > 0 ? (
        <span className="text-2xs text-muted" title={tags.slice(limit).join(", ")}>
          +{rest}
        </span>
      ) : null}
    </span>
  );
}

export function FlowItem(props: FlowItemProps) {
  const { flow, view, selected, selecting, dragged, onSelect, onEdit } = props;
  const { t } = useTranslation();
  const checkbox = (
    <Checkbox
      checked={selected}
      aria-label={t("projects.select", { name: flow.name })}
      onChange={(checked, event) => onSelect(checked, event instanceof MouseEvent && event.shiftKey)}
      className={cx(
        "relative z-1 group-focus-within:opacity-100 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100",
        selected || selecting ? "opacity-100" : "opacity-0",
      )}
    />
  );
  const link = (
    <Link
      to="/flow/$flowId"
      params={{ flowId: flow.id }}
      data-flow-link={flow.id}
      draggable={false}
      className="truncate rounded-sm font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {flow.name}
    </Link>
  );
  const drag = {
    draggable: true,
    onDragStart: (event: React.DragEvent) => dragFlows(event.dataTransfer, dragged()),
  };
  const counts = t("projects.nodes", { count: flow.node_count });

  if (view === "list") {
    return (
      <li
        {...drag}
        className={cx(
          "group relative flex h-(--row-h) items-center gap-3 rounded-lg border px-3 transition-colors",
          selected ? "border-accent bg-accent-soft" : "border-transparent hover:bg-hover",
        )}
      >
        {checkbox}
        <FlowTile flow={flow} className="size-7" />
        <div className="flex min-w-0 flex-1 items-center gap-2">
          <span className="flex max-w-full min-w-0 shrink-0 sm:max-w-[50%]">{link}</span>
          <span className="relative z-1 flex gap-1.5">
            <Marks flow={flow} />
          </span>
          <span className="hidden min-w-0 truncate text-muted sm:inline">{flow.description}</span>
        </div>
        <span className="hidden lg:flex">
          <Tags tags={flow.tags} limit={2} />
        </span>
        <span className="hidden w-20 shrink-0 text-right text-xs text-muted md:inline">{counts}</span>
        <span className="relative z-1 w-24 shrink-0 text-right text-xs text-muted">
          <RelativeTime value={flow.updated_at} />
        </span>
        <span className="relative z-1">
          <FlowMenu flow={flow} onEdit={onEdit} />
        </span>
      </li>
    );
  }
  return (
    <li
      {...drag}
      className={cx(
        "group relative flex h-36 min-w-0 flex-col rounded-lg border p-3 transition-[border-color,box-shadow] hover:shadow-2",
        selected ? "border-accent bg-accent-soft" : "border-line bg-surface hover:border-line-strong",
      )}
    >
      <div className="flex items-center gap-2.5">
        <FlowTile flow={flow} />
        <div className="flex min-w-0 flex-1 items-center gap-1.5">
          {link}
          <span className="relative z-1 flex shrink-0 gap-1.5">
            <Marks flow={flow} />
          </span>
        </div>
        {checkbox}
        <span className="relative z-1 -mr-1">
          <FlowMenu flow={flow} onEdit={onEdit} />
        </span>
      </div>
      <p className="mt-2 line-clamp-2 text-sm break-words text-muted">
        {flow.description || t("projects.noDescription")}
      </p>
      <div className="mt-auto flex h-5 items-center gap-2 text-xs text-muted">
        <span className="relative z-1 shrink-0">
          <RelativeTime value={flow.updated_at} />
        </span>
        <span aria-hidden="true">·</span>
        <span className="shrink-0">{counts}</span>
        <span className="ml-auto min-w-0">
          <Tags tags={flow.tags} limit={1} />
        </span>
      </div>
    </li>
  );
}
