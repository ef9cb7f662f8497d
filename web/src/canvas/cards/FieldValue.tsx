import { Braces, Check, FileText, Globe, KeyRound, Table2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Field } from "@/flow/model";
import { type Preview, previewField, type PromptPart } from "@/flow/preview";
import { cx } from "@/ui/cx";

/** A field's value inside a card: `box` has a line or three of its own, `line` shares one with the label. */
export function FieldValue({ field, shape }: { field: Field; shape: "inline" | "stacked" | "tall" }) {
  const preview = previewField(field);
  if (shape === "inline") return <InlineValue field={field} preview={preview} />;
  return (
    <div
      className={cx(
        "mx-4 flex overflow-hidden rounded-md border border-line bg-bg px-2",
        shape === "tall" ? "h-[46px] items-start py-1.5" : "h-7 items-center",
      )}
    >
      <BoxValue field={field} preview={preview} tall={shape === "tall"} />
    </div>
  );
}

function Empty({ field }: { field: Field }) {
  const { t } = useTranslation();
  return <span className="truncate text-faint">{field.placeholder || t("flow.value.empty")}</span>;
}

function InlineValue({ field, preview }: { field: Field; preview: Preview }) {
  const { t } = useTranslation();
  switch (preview.kind) {
    case "bool":
      return (
        <span className={cx("flex items-center gap-1", preview.on ? "text-ink" : "text-faint")}>
          {preview.on ? <Check aria-hidden="true" className="size-3.5 text-ok" /> : null}
          {preview.on ? t("flow.value.on") : t("flow.value.off")}
        </span>
      );
    case "slider":
      return (
        <span className="flex items-center gap-2">
          <span aria-hidden="true" className="relative h-1 w-20 overflow-hidden rounded-full bg-line">
            <span
              className="absolute inset-y-0 left-0 rounded-full bg-faint"
              style={{ width: `${preview.ratio * 100}%` }}
            />
          </span>
          <span className="tabular-nums">{preview.text}</span>
        </span>
      );
    case "table":
      return <Count icon={<Table2 />}>{t("flow.value.rows", { count: preview.rows })}</Count>;
    case "pairs":
      return <Count icon={<Braces />}>{t("flow.value.entries", { count: preview.pairs.length })}</Count>;
    case "code":
      return <Count icon={<Braces />}>{t("flow.value.lines", { count: preview.lines })}</Count>;
    case "empty":
      return field.kind === "port" ? null : <Empty field={field} />;
    default:
      return (
        <span className="flex min-w-0 truncate">
          <BoxValue field={field} preview={preview} tall={false} />
        </span>
      );
  }
}

function Count({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1 text-muted *:[svg]:size-3.5">
      {icon}
      {children}
    </span>
  );
}

function BoxValue({ field, preview, tall }: { field: Field; preview: Preview; tall: boolean }) {
  const { t } = useTranslation();
  switch (preview.kind) {
    case "empty":
      return <Empty field={field} />;
    case "secret":
      return (
        <span className="flex items-center gap-1.5 text-muted">
          <KeyRound aria-hidden="true" className="size-3.5" />
          <span aria-label={t("flow.value.secret")} role="img">
            ••••••
          </span>
        </span>
      );
    case "variable":
      return (
        <span
          className="flex min-w-0 items-center gap-1.5"
          title={t("flow.value.variable", { name: preview.name })}
        >
          <Globe
            aria-label={t("flow.value.fromVariable")}
            role="img"
            className="size-3.5 shrink-0 text-accent"
          />
          <span className="truncate font-mono">{preview.name}</span>
        </span>
      );
    case "prompt":
      return (
        <p className="line-clamp-2 break-words">
          <PromptText parts={preview.parts} />
        </p>
      );
    case "model":
      return (
        <span className="flex min-w-0 items-baseline gap-1.5">
          <span className="truncate font-medium">{preview.name}</span>
          {preview.provider ? <span className="shrink-0 text-muted">{preview.provider}</span> : null}
        </span>
      );
    case "tabs":
      return (
        <span className="flex min-w-0 gap-1 overflow-hidden">
          {preview.options.map((option) => (
            <span
              key={option}
              className={cx(
                "truncate rounded-sm px-1.5",
                option === preview.selected ? "bg-accent-soft text-accent" : "text-faint",
              )}
            >
              {option}
            </span>
          ))}
        </span>
      );
    case "chips":
      return <Chips items={preview.items} />;
    case "tools":
      return <Chips items={preview.on} off={preview.off} />;
    case "files":
      return (
        <span className="flex min-w-0 items-center gap-1.5">
          <FileText aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
          <span className="truncate">{preview.names.join(", ")}</span>
        </span>
      );
    case "bool":
      return <span>{preview.on ? t("flow.value.on") : t("flow.value.off")}</span>;
    case "pairs":
      return <span className="truncate">{t("flow.value.entries", { count: preview.pairs.length })}</span>;
    case "table":
      return <span className="truncate">{t("flow.value.rows", { count: preview.rows })}</span>;
    case "code":
      return <span className="truncate">{t("flow.value.lines", { count: preview.lines })}</span>;
    case "json":
      return <span className="truncate font-mono">{preview.text}</span>;
    case "text":
    case "choice":
    case "slider":
    case "link":
      return tall ? (
        <p className="line-clamp-2 break-words">{preview.text}</p>
      ) : (
        <span className="truncate">{preview.text}</span>
      );
  }
}

export function PromptText({ parts }: { parts: readonly PromptPart[] }) {
  return parts.map((part, index) =>
    part.kind === "text" ? (
      <span key={index}>{part.text}</span>
    ) : (
      <span key={index} className="rounded-sm bg-accent-soft px-1 font-mono text-2xs text-accent">
        {`{${part.name}}`}
      </span>
    ),
  );
}

const SHOWN_CHIPS = 3;
const NONE: readonly string[] = [];

function Chips({ items, off = NONE }: { items: readonly string[]; off?: readonly string[] }) {
  const { t } = useTranslation();
  const more = items.length + off.length - SHOWN_CHIPS;
  return (
    <span className="flex min-w-0 items-center gap-1 overflow-hidden">
      {[...items.map((name) => ({ name, on: true })), ...off.map((name) => ({ name, on: false }))]
        .slice(0, SHOWN_CHIPS)
        .map((item, index) => (
          <span
            key={`${index}${item.name}`}
            className={cx(
              "truncate rounded-sm bg-sunken px-1.5",
              item.on ? "text-ink" : "text-faint line-through",
            )}
          >
            {item.name}
          </span>
        ))}
      {more > 0 ? <span className="shrink-0 text-muted">{t("flow.value.more", { count: more })}</span> : null}
    </span>
  );
}
