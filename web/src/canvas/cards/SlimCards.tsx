import type { NodeProps } from "@xyflow/react";
import { CircleHelp } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CARD, type CardLayout } from "@/flow/card";
import { cx } from "@/ui/cx";
import type { CardNode } from "../elements";
import { exitLabel, factLabels } from "../workflowLabels";
import { CardFrame } from "./CardFrame";
import { CardHeader } from "./CardHeader";

export const WorkflowCard = memo(function WorkflowCard({ data }: NodeProps<CardNode>) {
  const { t } = useTranslation();
  const { node, layout, mark } = data;
  if (node.kind !== "workflow") return null;
  return (
    <CardFrame node={node} layout={layout} mark={mark} label={node.title}>
      <div className="flex size-full flex-col overflow-hidden rounded-[7px]">
        <CardHeader node={node} />
        {node.facts.length > 0 ? (
          <dl
            className="border-t border-line px-4"
            style={{ paddingTop: CARD.padding, paddingBottom: CARD.padding }}
          >
            {node.facts.map((fact) => (
              <div key={fact.key} className="flex items-center gap-2" style={{ height: CARD.fact }}>
                <dt className="shrink-0 text-muted">{factLabels(t)[fact.key] ?? fact.key}</dt>
                <dd className={cx("min-w-0 truncate", fact.code && "font-mono text-2xs")} title={fact.text}>
                  {fact.text}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        <Exits layout={layout} />
      </div>
    </CardFrame>
  );
});

export const UnknownCard = memo(function UnknownCard({ data }: NodeProps<CardNode>) {
  const { t } = useTranslation();
  const { node, layout, mark } = data;
  if (node.kind !== "unknown") return null;
  const why =
    node.reason === "unknown_type"
      ? t("flow.card.unknownType", { type: node.type })
      : t("flow.card.noComponent");
  return (
    <CardFrame node={node} layout={layout} mark={mark} label={node.title} unknown>
      <div className="flex size-full flex-col overflow-hidden rounded-[7px]">
        <div className="flex items-center gap-2 pr-3 pl-4" style={{ height: CARD.header }}>
          <CircleHelp aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <span className="min-w-0 flex-1 truncate text-sm font-semibold">{node.title}</span>
        </div>
        <p
          className="line-clamp-3 border-t border-line px-4 py-1.5 leading-4 text-muted"
          style={{ height: CARD.fact * 2 + CARD.padding * 2 + 1 }}
          title={why}
        >
          {why}
        </p>
        <Exits layout={layout} />
      </div>
    </CardFrame>
  );
});

function Exits({ layout }: { layout: CardLayout }) {
  const { t } = useTranslation();
  if (layout.outputs.length === 0) return null;
  return (
    <div className="mt-auto bg-sunken">
      {layout.outputs.map((row) => (
        <div key={row.port.id} className="flex items-center justify-end px-4" style={{ height: CARD.output }}>
          <span className="truncate font-medium" title={row.port.label}>
            {exitLabel(t, row.port)}
          </span>
        </div>
      ))}
    </div>
  );
}
