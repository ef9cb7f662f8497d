import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRecord } from "@/flow/json";
import { gridOf } from "@/flow/jsonTree";
import { type Shown, shownText } from "@/flow/runDetail";
import { Button, IconButton } from "./Button";
import { CopyButton } from "./CopyButton";
import { cx } from "./cx";
import { DataTable } from "./DataTable";
import { ErrorNotice } from "./ErrorNotice";
import { JsonTree } from "./JsonTree";
import { Markdown } from "./Markdown";
import { fileSize } from "./time";

export type ValueLook = "text" | "markdown" | "tree" | "table" | "raw";

const lookKeys = {
  text: "runs.value.text",
  markdown: "runs.value.markdown",
  tree: "runs.value.tree",
  table: "runs.value.table",
  raw: "runs.value.raw",
} as const satisfies Record<ValueLook, string>;

// More than this in one piece makes the page slow; the download has all of it.
const MOST_DRAWN = 200_000;

/** Text that is JSON is looked at as what it says. */
function structureOf({ kind, value }: Shown): unknown {
  if (kind !== "text" || typeof value !== "string") return value;
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    return undefined;
  }
}

function looksFor(shown: Shown, structure: unknown): ValueLook[] {
  const tree: ValueLook[] = isRecord(structure) || Array.isArray(structure) ? ["tree"] : [];
  const table: ValueLook[] = gridOf(structure) ? ["table"] : [];
  if (shown.kind === "text") return ["text", "markdown", ...tree, ...table, "raw"];
  return shown.kind === "table" ? [...table, ...tree, "raw"] : [...tree, ...table, "raw"];
}

export interface ValueViewProps {
  shown: Shown;
  /** What it is the value of; also the name of the file it is saved to. */
  name: string;
  /** Loads what was cut off. */
  onMore?: (() => void) | undefined;
  loading?: boolean;
  error?: unknown;
}

/** One value, looked at in the ways that fit it. */
export function ValueView({ shown, name, onMore, loading = false, error }: ValueViewProps) {
  const { t, i18n } = useTranslation();
  const structure = useMemo(() => structureOf(shown), [shown]);
  const looks = useMemo(() => looksFor(shown, structure), [shown, structure]);
  const [wanted, setWanted] = useState<ValueLook | null>(null);
  const look = looks.find((item) => item === wanted) ?? looks[0] ?? "raw";
  const text = useMemo(() => shownText(shown), [shown]);
  if (shown.kind === "secret") return <p className="text-xs text-muted italic">{t("runs.value.secret")}</p>;
  if (shown.kind === "none") return <p className="text-xs text-muted italic">{t("runs.value.none")}</p>;
  return (
    <div className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-1">
        <div role="group" aria-label={t("runs.value.looks", { name })} className="flex rounded-md bg-sunken p-0.5">
          {looks.map((item) => (
            <button
              key={item}
              type="button"
              aria-pressed={item === look}
              onClick={() => setWanted(item)}
              className={cx(
                "h-5 rounded-sm px-1.5 text-2xs",
                item === look ? "bg-surface font-medium text-ink shadow-1" : "text-muted hover:text-ink",
              )}
            >
              {t(lookKeys[item])}
            </button>
          ))}
        </div>
        <span className="min-w-0 flex-1" />
        <CopyButton size="sm" text={text} />
        <IconButton
          size="sm"
          label={t("runs.value.download", { name })}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => saveAs(`${name || "value"}.${shown.kind === "text" ? "txt" : "json"}`, text)}
        />
      </div>
      <Look look={look} text={text} structure={structure} name={name} />
      {shown.cut ? (
        <p className="flex flex-wrap items-center gap-2 text-2xs text-muted">
          {t("runs.value.cut", { size: fileSize(shown.bytes, i18n.language) })}
          {onMore ? (
            <Button size="sm" busy={loading} onClick={onMore}>
              {t("runs.value.more")}
            </Button>
          ) : null}
        </p>
      ) : null}
      {error ? <ErrorNotice error={error} onRetry={onMore} /> : null}
    </div>
  );
}

function Look({
  look,
  text,
  structure,
  name,
}: {
  look: ValueLook;
  text: string;
  structure: unknown;
  name: string;
}) {
  const { t } = useTranslation();
  const grid = useMemo(() => (look === "table" ? gridOf(structure) : null), [look, structure]);
  if (look === "tree") return <JsonTree value={structure} label={name} />;
  if (grid) return <DataTable grid={grid} label={name} />;
  const drawn = text.slice(0, MOST_DRAWN);
  return (
    <>
      <div
        role="group"
        aria-label={name}
        tabIndex={0}
        className={cx(
          "scroll-thin max-h-90 overflow-auto rounded-md border border-line bg-surface p-2 text-xs focus-visible:-outline-offset-2",
          look === "text" && "break-words whitespace-pre-wrap",
          look === "raw" && "font-mono text-2xs break-all whitespace-pre-wrap",
        )}
      >
        {look === "markdown" ? <Markdown source={drawn} reachable /> : drawn}
      </div>
      {text.length > MOST_DRAWN ? <p className="text-2xs text-muted">{t("runs.value.long")}</p> : null}
    </>
  );
}

function saveAs(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name.replaceAll(/[/\\:*?"<>|]/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
