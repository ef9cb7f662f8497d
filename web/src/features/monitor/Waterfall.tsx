import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Bar, barOf, type NodeSteps, spanOf, type StepState } from "@/flow/runDetail";
import { cx } from "@/ui/cx";
import { fineDuration } from "@/ui/figures";
import { StepSign } from "./StateSign";

const tones: Record<StepState, string> = {
  queued: "bg-line-strong",
  running: "bg-accent",
  done: "bg-ok",
  failed: "bg-danger",
  skipped: "bg-line-strong",
  waiting: "bg-warn",
  cancelled: "bg-faint",
  reused: "bg-accent",
};

/** When each node was at work: one line per node, one bar per round. Arrow keys go from node to node. */
export function Waterfall({
  nodes,
  runMs,
  selected,
  onSelect,
}: {
  nodes: readonly NodeSteps[];
  runMs: number | null;
  selected: string | null;
  onSelect: (node: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const list = useRef<HTMLDivElement>(null);
  const span = spanOf(
    nodes.flatMap((node) => node.steps),
    runMs,
  );
  const at = Math.max(
    0,
    nodes.findIndex((node) => node.node === selected),
  );
  const onKey = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: nodes.length - 1 }[event.key];
    const node = to === undefined ? undefined : nodes[Math.max(0, Math.min(nodes.length - 1, to))];
    if (!node) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(node.node);
    const index = nodes.indexOf(node);
    list.current?.querySelectorAll<HTMLElement>("[role=option]")[index]?.focus();
  };
  return (
    <div>
      <div aria-hidden="true" className="flex gap-2 px-2 pb-1 text-2xs text-faint">
        <span className="w-44 shrink-0" />
        <span className="flex flex-1 justify-between tabular-nums">
          <span>{fineDuration(0, language)}</span>
          <span>{fineDuration(span / 2, language)}</span>
          <span>{fineDuration(span, language)}</span>
        </span>
        <span className="w-14 shrink-0" />
      </div>
      <div ref={list} role="listbox" aria-label={t("runs.waterfall")} tabIndex={-1} onKeyDown={onKey}>
        {nodes.map((node, index) => (
          <div
            key={node.node}
            role="option"
            tabIndex={index === at ? 0 : -1}
            aria-selected={node.node === selected}
            onClick={() => onSelect(node.node)}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                onSelect(node.node);
              }
            }}
            className={cx(
              "flex h-7 cursor-default items-center gap-2 rounded-md px-2 focus-visible:-outline-offset-2",
              node.node === selected ? "bg-accent-soft" : "hover:bg-hover",
            )}
          >
            <span className="flex w-44 shrink-0 items-center gap-1.5 text-xs">
              <StepSign state={node.state} />
              <span className="truncate" title={node.name}>
                {node.name}
              </span>
              {node.steps.length > 1 ? (
                <span
                  className="shrink-0 text-2xs text-muted"
                  title={t("runs.node.rounds", { count: node.steps.length })}
                >{`×${node.steps.length}`}</span>
              ) : null}
            </span>
            <span className="relative h-3 min-w-0 flex-1 rounded-sm bg-line/60">
              {node.steps.map((step, round) => {
                const bar = barOf(step, span);
                return bar ? <BarView key={round} bar={bar} state={step.state} /> : null;
              })}
            </span>
            <span className="w-14 shrink-0 text-right text-2xs text-muted tabular-nums">
              {node.ms === null ? "" : fineDuration(node.ms, language)}
            </span>
            {node.startedMs === null ? null : (
              <span className="sr-only">
                {t("runs.startedAt", { time: fineDuration(node.startedMs, language) })}
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function BarView({ bar, state }: { bar: Bar; state: StepState }) {
  return (
    <span
      className={cx("absolute inset-y-0 min-w-0.5 rounded-sm", tones[state], state === "reused" && "opacity-50")}
      style={{ left: `min(${bar.left}%, calc(100% - 2px))`, width: `${bar.width}%` }}
    />
  );
}
