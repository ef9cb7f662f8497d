import { ArrowRight, Search } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { Flow, FlowNode } from "@/flow/model";
import { type Connection, outline, type OutlineEntry } from "@/flow/outline";
import { type Match, searchFlow } from "@/flow/search";
import { cx } from "@/ui/cx";
import { Input } from "@/ui/Field";

interface OutlineProps {
  flow: Flow;
  selected: string | null;
  onNode: (id: string) => void;
  onOpen: (id: string) => void;
  /** Counts how often the search was asked for by a key; each time it takes the focus. */
  asked?: number;
}

/** The flow as a list, in reading order: all of it can be read and walked without the canvas. */
export function OutlinePanel({ flow, selected, onNode, onOpen, asked: wanted = 0 }: OutlineProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const asked = useDeferredValue(query.trim());
  const entries = useMemo(() => outline(flow), [flow]);
  const matches = useMemo(() => (asked === "" ? null : searchFlow(flow, asked)), [flow, asked]);
  const shared = { selected, onNode, onOpen };
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // After the dock has put the focus on its heading.
    const frame = requestAnimationFrame(() => (wanted > 0 ? input.current?.select() : input.current?.focus()));
    return () => cancelAnimationFrame(frame);
  }, [wanted]);

  // Enter goes from one find to the next, as in a browser's own search.
  const next = (back: boolean): void => {
    const found = searchFlow(flow, query.trim());
    const at = found.findIndex((match) => match.node.id === selected);
    const index = back ? (at < 0 ? 0 : at) - 1 : at + 1;
    const match = found.at(index % Math.max(found.length, 1));
    if (match) onNode(match.node.id);
  };

  return (
    <div className="flex min-h-full flex-col">
      <div className="sticky top-0 z-1 border-b border-line bg-surface p-3">
        <div className="relative">
          <Search
            aria-hidden="true"
            className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
          />
          <Input
            ref={input}
            type="search"
            className="pl-8"
            aria-label={t("flow.outline.search")}
            placeholder={t("flow.outline.search")}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              next(event.shiftKey);
            }}
          />
        </div>
      </div>
      <p role="status" className="px-4 pt-2 text-xs text-muted">
        {matches
          ? t("flow.outline.found", { count: matches.length })
          : t("flow.outline.count", { count: flow.nodes.length, wires: flow.wires.length })}
      </p>
      {matches ? (
        <ol className="p-2">
          {matches.map((match) => (
            <li key={match.node.id}>
              <NodeButton node={match.node} {...shared} note={<Excerpt match={match} />} />
            </li>
          ))}
        </ol>
      ) : (
        <>
          <ol className="p-2" aria-label={t("flow.outline.nodes")}>
            {entries.steps.map((entry) => (
              <Step key={entry.node.id} entry={entry} {...shared} />
            ))}
          </ol>
          {entries.notes.length > 0 ? (
            <section className="border-t border-line p-2">
              <h3 className="px-2 py-1 text-xs font-semibold text-muted">{t("flow.outline.notes")}</h3>
              <ul>
                {entries.notes.map((node) => (
                  <li key={node.id}>
                    <NodeButton node={node} {...shared} />
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
        </>
      )}
    </div>
  );
}

type Shared = Pick<OutlineProps, "selected" | "onNode" | "onOpen">;

function Step({ entry, ...shared }: { entry: OutlineEntry } & Shared) {
  return (
    <li className="[contain-intrinsic-size:auto_40px] [content-visibility:auto]">
      <NodeButton node={entry.node} {...shared} />
      {entry.outputs.length > 0 ? (
        <ul className="mb-1 ml-8 space-y-px">
          {entry.outputs.map((connection) => (
            <Leads key={connection.wire.id} connection={connection} onNode={shared.onNode} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function Leads({ connection, onNode }: { connection: Connection; onNode: (id: string) => void }) {
  return (
    <li>
      <button
        type="button"
        className="flex w-full items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-left text-xs text-muted hover:bg-hover hover:text-ink"
        onClick={() => onNode(connection.node)}
      >
        <span className="max-w-[40%] truncate">{connection.port}</span>
        <ArrowRight aria-hidden="true" className="size-3 shrink-0" />
        <span className="min-w-0 truncate">
          {[connection.nodeTitle, connection.otherPort].filter((part) => part !== "").join(" · ")}
        </span>
      </button>
    </li>
  );
}

function noteTitle(node: FlowNode): string {
  if (node.kind !== "note") return node.title;
  return (
    node.markdown
      .replace(/[#*_`>]/g, "")
      .trim()
      .split("\n")[0] ?? ""
  );
}

function NodeButton({
  node,
  selected,
  onNode,
  onOpen,
  note,
}: { node: FlowNode; note?: React.ReactNode } & Shared) {
  const { t } = useTranslation();
  const current = selected === node.id;
  return (
    <button
      type="button"
      aria-current={current || undefined}
      className={cx(
        "flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover",
        current && "bg-accent-soft hover:bg-accent-soft",
      )}
      onClick={() => onNode(node.id)}
      onDoubleClick={() => onOpen(node.id)}
    >
      <NodeIcon name={node.icon} className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{noteTitle(node) || t("flow.card.note")}</span>
        {note ?? null}
      </span>
      {node.kind === "note" ? null : (
        <span className="max-w-[35%] truncate text-xs leading-5 text-faint">{node.type}</span>
      )}
    </button>
  );
}

function Excerpt({ match }: { match: Match }) {
  if (match.where === "title") return null;
  return <span className="block truncate text-xs text-muted">{match.excerpt}</span>;
}
