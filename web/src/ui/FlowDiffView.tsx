import { Copy, Minus, Pencil, Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldChange, FlowDiff, NodeRef, WireRef } from "@/api/types";
import { Button } from "./Button";
import { cx } from "./cx";
import { Input } from "./Field";
import { showToast } from "./toasts";

export interface FlowDiffViewProps {
  diff: FlowDiff;
  /** Called with the id of a node whose name was pressed. */
  onNode?: (id: string) => void;
}

type Kind = "added" | "removed" | "changed";

const looks: Record<Kind, { icon: ReactNode; className: string }> = {
  added: { icon: <Plus aria-hidden="true" />, className: "bg-ok-soft text-ok" },
  removed: { icon: <Minus aria-hidden="true" />, className: "bg-danger-soft text-danger" },
  changed: { icon: <Pencil aria-hidden="true" />, className: "bg-warn-soft text-warn" },
};

/** What differs between two documents, as a list or as text. */
export function FlowDiffView({ diff, onNode }: FlowDiffViewProps) {
  const { t } = useTranslation();
  const [asText, setAsText] = useState(false);
  const [filter, setFilter] = useState("");
  const shown = useMemo(() => filterDiff(diff, filter), [diff, filter]);

  if (diff.identical)
    return <p className="py-6 text-center text-sm text-muted">{t("flow.diff.identical")}</p>;

  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(diff.text);
    showToast({ message: t("flow.diff.copied") });
  };

  return (
    <div className="space-y-3">
      <Summary diff={diff} />
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          className="h-7 min-w-32 flex-1"
          value={filter}
          placeholder={t("flow.diff.filter")}
          aria-label={t("flow.diff.filter")}
          disabled={asText}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Button size="sm" aria-pressed={asText} onClick={() => setAsText(!asText)}>
          {asText ? t("flow.diff.asList") : t("flow.diff.asText")}
        </Button>
        <Button size="sm" icon={<Copy aria-hidden="true" className="size-3.5" />} onClick={() => void copy()}>
          {t("flow.diff.copy")}
        </Button>
      </div>
      {asText ? <DiffText text={diff.text} /> : <DiffList diff={shown} onNode={onNode} />}
    </div>
  );
}

function Summary({ diff }: { diff: FlowDiff }) {
  const { t } = useTranslation();
  const { summary } = diff;
  const parts: [Kind, string][] = [];
  if (summary.nodes_added) parts.push(["added", t("flow.diff.nodesAdded", { count: summary.nodes_added })]);
  if (summary.nodes_removed)
    parts.push(["removed", t("flow.diff.nodesRemoved", { count: summary.nodes_removed })]);
  if (summary.nodes_changed)
    parts.push(["changed", t("flow.diff.nodesChanged", { count: summary.nodes_changed })]);
  if (summary.wires_added) parts.push(["added", t("flow.diff.wiresAdded", { count: summary.wires_added })]);
  if (summary.wires_removed)
    parts.push(["removed", t("flow.diff.wiresRemoved", { count: summary.wires_removed })]);
  if (diff.flow_changes.length > 0)
    parts.push(["changed", t("flow.diff.flowChanged", { count: diff.flow_changes.length })]);
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label={t("flow.diff.summary")}>
      {parts.map(([kind, text]) => (
        <li key={text} className={cx("rounded-full px-2 py-0.5 text-xs font-medium", looks[kind].className)}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function matches(words: string, ...texts: string[]): boolean {
  return texts.join(" ").toLowerCase().includes(words);
}

function filterDiff(diff: FlowDiff, filter: string): FlowDiff {
  const words = filter.trim().toLowerCase();
  if (words === "") return diff;
  const node = (ref: NodeRef): boolean => matches(words, ref.name, ref.type, ref.id);
  const change = (item: FieldChange): boolean =>
    matches(words, item.label, item.path, show(item.old), show(item.new));
  const wire = (ref: WireRef): boolean =>
    matches(words, ref.from.name, ref.from.port, ref.to.name, ref.to.port);
  return {
    ...diff,
    nodes_added: diff.nodes_added.filter(node),
    nodes_removed: diff.nodes_removed.filter(node),
    nodes_changed: diff.nodes_changed.flatMap((entry) => {
      if (node(entry.node)) return [entry];
      const changes = entry.changes.filter(change);
      return changes.length > 0 ? [{ ...entry, changes }] : [];
    }),
    wires_added: diff.wires_added.filter(wire),
    wires_removed: diff.wires_removed.filter(wire),
    flow_changes: diff.flow_changes.filter(change),
  };
}

function DiffList({ diff, onNode }: { diff: FlowDiff; onNode: ((id: string) => void) | undefined }) {
  const { t } = useTranslation();
  const empty =
    diff.nodes_added.length + diff.nodes_removed.length + diff.nodes_changed.length === 0 &&
    diff.wires_added.length + diff.wires_removed.length + diff.flow_changes.length === 0;
  if (empty) return <p className="py-4 text-center text-sm text-muted">{t("flow.diff.nothingFound")}</p>;
  return (
    <ul className="space-y-2">
      {diff.flow_changes.length > 0 ? (
        <Entry kind="changed" title={t("flow.diff.flow")}>
          <Changes changes={diff.flow_changes} />
        </Entry>
      ) : null}
      {diff.nodes_added.map((node) => (
        <Entry key={node.id} kind="added" title={<NodeName node={node} onNode={onNode} />} note={node.type} />
      ))}
      {diff.nodes_removed.map((node) => (
        <Entry
          key={node.id}
          kind="removed"
          title={<NodeName node={node} onNode={onNode} />}
          note={node.type}
        />
      ))}
      {diff.nodes_changed.map(({ node, changes }) => (
        <Entry key={node.id} kind="changed" title={<NodeName node={node} onNode={onNode} />} note={node.type}>
          <Changes changes={changes} />
        </Entry>
      ))}
      {diff.wires_added.map((wire) => (
        <Entry key={wireKey(wire)} kind="added" title={<WireName wire={wire} />} />
      ))}
      {diff.wires_removed.map((wire) => (
        <Entry key={wireKey(wire)} kind="removed" title={<WireName wire={wire} />} />
      ))}
    </ul>
  );
}

function wireKey({ from, to }: WireRef): string {
  return [from.node, from.port, to.node, to.port].join("\n");
}

const kindKeys = {
  added: "flow.mark.added",
  removed: "flow.mark.removed",
  changed: "flow.mark.changed",
} as const;

function Entry({
  kind,
  title,
  note,
  children,
}: {
  kind: Kind;
  title: ReactNode;
  note?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <li className="rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-2 px-2.5 py-1.5 text-sm">
        <span
          role="img"
          aria-label={t(kindKeys[kind])}
          className={cx(
            "flex size-5 shrink-0 items-center justify-center rounded-sm *:size-3.5",
            looks[kind].className,
          )}
        >
          {looks[kind].icon}
        </span>
        <span className="min-w-0 flex-1 break-words">{title}</span>
        {note ? <span className="max-w-[40%] truncate text-xs text-muted">{note}</span> : null}
      </div>
      {children}
    </li>
  );
}

function NodeName({ node, onNode }: { node: NodeRef; onNode: ((id: string) => void) | undefined }) {
  const name = node.name || node.id;
  if (!onNode) return <span className="font-medium">{name}</span>;
  return (
    <button
      type="button"
      className="rounded-sm text-left font-medium hover:underline"
      onClick={() => onNode(node.id)}
    >
      {name}
    </button>
  );
}

function WireName({ wire }: { wire: WireRef }) {
  const end = (side: WireRef["from"]): string =>
    [side.name || side.node, side.port].filter(Boolean).join(" · ");
  return (
    <span>
      {end(wire.from)} <span className="text-muted">→</span> {end(wire.to)}
    </span>
  );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  // Positions and sizes are easier to compare on one line.
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : JSON.stringify(value, null, 2);
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useTranslation();
  return (
    <dl className="space-y-2 border-t border-line px-2.5 py-2 text-xs">
      {changes.map((change) => (
        <div key={change.path}>
          <dt className="mb-0.5 text-muted" title={change.path}>
            {change.label || change.path}
          </dt>
          <dd className="space-y-0.5">
            <Value tone="removed" label={t("flow.diff.before")} value={change.old} />
            <Value tone="added" label={t("flow.diff.after")} value={change.new} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

// Longer values scroll in their box, which then has to be reachable by keyboard.
const LONG = 200;

function Value({ tone, label, value }: { tone: "added" | "removed"; label: string; value: unknown }) {
  const { t } = useTranslation();
  const text = show(value);
  const Tag = tone === "added" ? "ins" : "del";
  return (
    <Tag
      tabIndex={text.length > LONG ? 0 : undefined}
      className={cx(
        "scroll-thin block max-h-40 overflow-auto rounded-sm px-1.5 py-1 font-mono break-words whitespace-pre-wrap no-underline",
        tone === "added" ? "bg-ok-soft" : "bg-danger-soft",
      )}
    >
      <span className="sr-only">{`${label}: `}</span>
      <span aria-hidden="true" className="mr-1.5 text-muted select-none">
        {tone === "added" ? "+" : "−"}
      </span>
      {text === "" ? <span className="text-muted">{t("flow.value.empty")}</span> : text}
    </Tag>
  );
}

function DiffText({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <pre
      tabIndex={0}
      aria-label={t("flow.diff.asText")}
      className="scroll-thin max-h-[60vh] overflow-auto rounded-lg border border-line bg-bg p-2.5 font-mono text-xs leading-5"
    >
      {text.split("\n").map((line, index) => (
        <div
          key={index}
          className={line.startsWith("+") ? "text-ok" : line.startsWith("-") ? "text-danger" : ""}
        >
          {line || " "}
        </div>
      ))}
    </pre>
  );
}
