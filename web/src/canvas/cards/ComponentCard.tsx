import type { NodeProps } from "@xyflow/react";
import { Lock } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CARD, type CardLayout, type FieldRow } from "@/flow/card";
import type { ComponentNode } from "@/flow/model";
import { cx } from "@/ui/cx";
import type { CardNode } from "../elements";
import { NodeIcon } from "../icons/NodeIcon";
import { CardFrame } from "./CardFrame";
import { CardHeader } from "./CardHeader";
import { FieldValue } from "./FieldValue";

export const ComponentCard = memo(function ComponentCard({ data }: NodeProps<CardNode>) {
  const { node, layout, mark } = data;
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
      <span className="truncate text-sm font-semibold">{node.title}</span>
    </div>
  );
}

function Full({ node, layout }: { node: ComponentNode; layout: CardLayout }) {
  const { t } = useTranslation();
  const body = layout.rows.length > 0 || layout.more > 0 || node.group !== null;
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
            <Row key={row.field.name} row={row} />
          ))}
          {layout.more > 0 ? (
            <p className="px-4 text-faint" style={{ height: CARD.more }}>
              {t("flow.card.moreFields", { count: layout.more })}
            </p>
          ) : null}
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
            <div
              key={row.port.id}
              className="flex items-center justify-end px-4"
              style={{ height: CARD.output }}
            >
              {row.loop ? (
                <span className="min-w-0 flex-1 truncate text-2xs text-muted">{t("flow.card.loopBack")}</span>
              ) : null}
              <span className="truncate font-medium">{row.port.label}</span>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function Row({ row }: { row: FieldRow }) {
  const { t } = useTranslation();
  const { field, wired, shape } = row;
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
              <FieldValue field={field} shape="inline" />
            )}
          </span>
        ) : null}
      </div>
      {shape === "inline" ? null : <FieldValue field={field} shape={shape} />}
    </div>
  );
}
