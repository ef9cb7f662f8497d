import { Globe, KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PromptText } from "@/canvas/cards/FieldValue";
import type { Field } from "@/flow/model";
import { previewField } from "@/flow/preview";
import { cx } from "@/ui/cx";

const MOST_ROWS = 50;

/** A value in full; long ones scroll in their own box. */
export function FullValue({ field }: { field: Field }) {
  const { t } = useTranslation();
  const preview = previewField(field);
  switch (preview.kind) {
    case "empty":
      return field.kind === "port" ? (
        <p className="text-xs text-faint">{t("flow.field.notConnected")}</p>
      ) : (
        <p className="text-xs text-faint">{field.placeholder || t("flow.value.empty")}</p>
      );
    case "secret":
      return (
        <p className="flex items-center gap-1.5 text-muted">
          <KeyRound aria-hidden="true" className="size-3.5" />
          <span role="img" aria-label={t("flow.value.secret")}>
            ••••••
          </span>
          <span className="text-xs">{t("flow.value.secretHint")}</span>
        </p>
      );
    case "variable":
      return (
        <p className="flex items-center gap-1.5">
          <Globe aria-hidden="true" className="size-3.5 shrink-0 text-accent" />
          <span className="font-mono text-xs break-all">{preview.name}</span>
          <span className="text-xs text-muted">{t("flow.value.fromVariable")}</span>
        </p>
      );
    case "bool":
      return <p>{preview.on ? t("flow.value.on") : t("flow.value.off")}</p>;
    case "model":
      return (
        <p>
          {preview.name} {preview.provider ? <span className="text-muted">{preview.provider}</span> : null}
        </p>
      );
    case "prompt":
      return (
        <Box>
          <PromptText parts={preview.parts} />
        </Box>
      );
    case "code":
    case "json":
      return <Box mono>{preview.text}</Box>;
    case "link":
      return preview.href ? (
        <a
          className="break-all text-accent underline"
          href={preview.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {preview.text}
        </a>
      ) : (
        <p className="break-all">{preview.text}</p>
      );
    case "tabs":
      return <p>{preview.selected || t("flow.value.empty")}</p>;
    case "chips":
    case "files":
      return <Tags items={preview.kind === "chips" ? preview.items : preview.names} />;
    case "tools":
      return (
        <>
          <Tags items={preview.on} />
          {preview.off.length > 0 ? <Tags items={preview.off} off /> : null}
        </>
      );
    case "pairs":
      return (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-xs">
          {preview.pairs.map((pair, index) => (
            <div key={index} className="contents">
              <dt className="font-mono text-muted">{pair.key}</dt>
              <dd className="min-w-0 font-mono break-words">{pair.text}</dd>
            </div>
          ))}
        </dl>
      );
    case "table":
      return <Rows columns={preview.columns} cells={preview.cells} />;
    case "text":
      return preview.long || preview.text.length > 80 ? (
        <Box>{preview.text}</Box>
      ) : (
        <p className="break-words">{preview.text}</p>
      );
    case "choice":
    case "slider":
      return <p className="break-words">{preview.text}</p>;
  }
}

function Box({ mono = false, children }: { mono?: boolean; children: ReactNode }) {
  return (
    <div
      tabIndex={0}
      role="group"
      className={cx(
        "scroll-thin max-h-64 overflow-auto rounded-md border border-line bg-bg px-2 py-1.5 break-words whitespace-pre-wrap",
        mono ? "font-mono text-xs" : "text-sm",
      )}
    >
      {children}
    </div>
  );
}

function Tags({ items, off = false }: { items: readonly string[]; off?: boolean }) {
  return (
    <ul className="flex flex-wrap gap-1">
      {items.map((item, index) => (
        <li
          key={index}
          className={cx("rounded-sm bg-sunken px-1.5 text-xs break-all", off && "text-faint line-through")}
        >
          {item}
        </li>
      ))}
    </ul>
  );
}

function Rows({ columns, cells }: { columns: readonly string[]; cells: readonly string[][] }) {
  const { t } = useTranslation();
  const more = cells.length - MOST_ROWS;
  return (
    <div tabIndex={0} role="group" className="scroll-thin overflow-x-auto rounded-md border border-line">
      <table className="w-full text-left text-xs">
        <thead className="bg-sunken text-muted">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index} className="border-t border-line align-top">
              {row.map((cell, column) => (
                <td key={column} className="max-w-48 px-2 py-1 break-words">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? (
        <p className="border-t border-line px-2 py-1 text-xs text-muted">
          {t("flow.value.moreRows", { count: more })}
        </p>
      ) : null}
    </div>
  );
}
