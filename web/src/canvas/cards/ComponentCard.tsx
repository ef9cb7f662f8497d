import type { NodeProps } from "@xyflow/react";
import { ChevronDown, ChevronUp, Lock } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CARD, type CardLayout, type FieldRow } from "@/flow/card";
import type { ComponentNode } from "@/flow/model";
import { toggleOpen } from "@/stores/editor/actions";
import { type Editor, useEditorOrNull } from "@/stores/editor/state";
import { cx } from "@/ui/cx";
import type { CardNode } from "../elements";
import { NodeIcon } from "../icons/NodeIcon";
import { CardField } from "./CardField";
import { CardFrame } from "./CardFrame";
import { CardHeader, CardTitle } from "./CardHeader";
import { FieldValue } from "./FieldValue";
import { OutputLine } from "./OutputLine";
import { countRender } from "./renders";

export const ComponentCard = memo(function ComponentCard({ data }: NodeProps<CardNode>) {
  const { node, layout, mark } = data;
  countRender(node.id);
  if (node.kind !== "component") return null;
  return (
    <CardFrame node={node} layout={layout} mark={mark} label={node.title}>
      {node.minimised ? <Minimised node={node} /> : <Full node={node} layout={layout} />}
    </CardFrame>
  );
});

function Minimised({ node }: { node: ComponentNode }) {
  return (
    <div className="flex size-full items-center gap-2 px-4">
      <NodeIcon name={node.icon} className="size-4 shrink-0 text-muted" />
      <CardTitle node={node} />
    </div>
  );
}

function Full({ node, layout }: { node: ComponentNode; layout: CardLayout }) {
  const { t } = useTranslation();
  const editor = useEditorOrNull();
  const foot = layout.more > 0 || node.open;
  const body = layout.rows.length > 0 || foot || node.group !== null;
  return (
    <div className="flex size-full flex-col overflow-hidden rounded-[7px]">
      <CardHeader node={node} badges={node.badges} group={node.group !== null} />
      {body ? (
        <div
          className="border-t border-line"
          style={{ paddingTop: CARD.padding, paddingBottom: CARD.padding }}
        >
          {node.group ? (
            <p
              className="truncate px-4 text-muted"
              style={{ height: CARD.more }}
              title={node.group.names.join(", ")}
            >
              {t("flow.card.inside", { count: node.group.names.length })}
            </p>
          ) : null}
          {layout.rows.map((row) => (
            <Row key={row.field.name} editor={editor} node={node} row={row} />
          ))}
          {foot ? <More editor={editor} node={node} more={layout.more} /> : null}
        </div>
      ) : null}
      {layout.outputs.length > 0 ? (
        <div
          className={cx(
            "mt-auto",
            node.badges.toolMode ? "bg-ink text-surface dark:bg-line-strong dark:text-ink" : "bg-sunken",
          )}
        >
          {layout.outputs.map((row) => (
            <OutputLine key={row.port.id} editor={editor} node={node} row={row} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

function More({ editor, node, more }: { editor: Editor | null; node: ComponentNode; more: number }) {
  const { t } = useTranslation();
  if (!editor)
    return (
      <p className="px-4 text-faint" style={{ height: CARD.more }}>
        {t("flow.card.moreFields", { count: more })}
      </p>
    );
  return (
    <div className="flex items-center px-3" style={{ height: CARD.more }}>
      <button
        type="button"
        aria-expanded={node.open}
        className="nodrag flex h-5 items-center gap-1 rounded-sm px-1 text-muted hover:bg-hover hover:text-ink"
        onClick={() => toggleOpen(editor, node.id)}
      >
        {node.open ? (
          <ChevronUp aria-hidden="true" className="size-3.5" />
        ) : (
          <ChevronDown aria-hidden="true" className="size-3.5" />
        )}
        {node.open ? t("editor.card.fewer") : t("flow.card.moreFields", { count: more })}
      </button>
    </div>
  );
}

function Row({ editor, node, row }: { editor: Editor | null; node: ComponentNode; row: FieldRow }) {
  const { t } = useTranslation();
  const { field, wired, shape } = row;
  const value = editor ? (
    <CardField editor={editor} node={node} row={row} />
  ) : (
    <FieldValue field={field} shape={shape} />
  );
  return (
    <div style={{ height: row.height }}>
      <div
        className="flex items-center gap-3 px-4"
        style={{ height: shape === "inline" ? CARD.inline : CARD.label }}
      >
        <span
          className={cx("min-w-0 truncate text-muted", shape === "inline" && "shrink-0 max-w-[60%]")}
          title={field.help || undefined}
        >
          {field.label}
          {field.required ? (
            <span className="text-danger" title={t("flow.field.required")}>
              {" *"}
            </span>
          ) : null}
        </span>
        {shape === "inline" ? (
          <span className="flex min-w-0 flex-1 justify-end">
            {wired ? (
              <span className="flex items-center gap-1.5 truncate rounded-md bg-sunken px-2 py-0.5 text-muted">
                {t("flow.field.receiving")}
                <Lock aria-hidden="true" className="size-3" />
              </span>
            ) : (
              value
            )}
          </span>
        ) : null}
      </div>
      {shape === "inline" ? null : editor ? <div className="px-4">{value}</div> : value}
    </div>
  );
}
