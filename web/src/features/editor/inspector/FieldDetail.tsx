import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CardField } from "@/canvas/cards/CardField";
import { rowShape } from "@/flow/card";
import type { ComponentNode, Field, FieldKind } from "@/flow/model";
import type { Connection } from "@/flow/outline";
import type { Editor } from "@/stores/editor/state";
import { FullValue } from "./FullValue";

const kinds = {
  text: "flow.kind.text",
  multiline: "flow.kind.multiline",
  number: "flow.kind.number",
  slider: "flow.kind.slider",
  bool: "flow.kind.bool",
  dropdown: "flow.kind.dropdown",
  multiselect: "flow.kind.multiselect",
  tab: "flow.kind.tab",
  list: "flow.kind.list",
  dict: "flow.kind.dict",
  table: "flow.kind.table",
  file: "flow.kind.file",
  secret: "flow.kind.secret",
  prompt: "flow.kind.prompt",
  code: "flow.kind.code",
  model: "flow.kind.model",
  link: "flow.kind.link",
  tools: "flow.kind.tools",
  duration: "flow.kind.duration",
  port: "flow.kind.port",
  other: "flow.kind.other",
} as const satisfies Record<FieldKind, string>;

export function FieldDetail({
  node,
  editor,
  field,
  sources,
  toolMode,
  onNode,
}: {
  node: ComponentNode;
  /** Where the flow can be changed. */
  editor: Editor | null;
  field: Field;
  sources: readonly Connection[];
  toolMode: boolean;
  onNode: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="min-w-0 text-sm">
      <div className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 font-medium break-words">
          {field.label}
          {field.required ? (
            <span className="text-danger" title={t("flow.field.required")}>
              {" *"}
            </span>
          ) : null}
        </span>
        <span className="shrink-0 text-xs text-faint">
          {field.types.length > 0 ? field.types.join(", ") : t(kinds[field.kind])}
        </span>
      </div>
      {field.help ? <p className="mb-1 text-xs text-muted">{field.help}</p> : null}
      {sources.length > 0 ? (
        <ul className="mt-1 space-y-1">
          {sources.map((source) => (
            <li
              key={source.wire.id}
              className="flex items-center gap-1.5 rounded-md bg-sunken px-2 py-1 text-xs"
            >
              <Lock aria-hidden="true" className="size-3 shrink-0 text-muted" />
              <span className="text-muted">{t("flow.field.receivingFrom")}</span>
              <button
                type="button"
                className="min-w-0 truncate rounded-sm text-left text-accent hover:underline"
                onClick={() => onNode(source.node)}
              >
                {[source.nodeTitle, source.otherPort].filter((part) => part !== "").join(" · ")}
              </button>
            </li>
          ))}
        </ul>
      ) : toolMode && field.toolMode ? (
        <p className="mt-1 text-xs text-muted">{t("flow.field.byAgent")}</p>
      ) : editor ? (
        <div className="mt-1">
          <CardField editor={editor} node={node} row={{ field, shape: rowShape(field, false) }} place="panel" />
        </div>
      ) : (
        <FullValue field={field} />
      )}
    </div>
  );
}
