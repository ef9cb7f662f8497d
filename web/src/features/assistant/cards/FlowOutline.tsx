import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { JsonRecord } from "@/flow/json";
import { readingOrder } from "@/flow/outline";
import { parseFlow } from "@/flow/parse";
import { MiniCanvas } from "./MiniCanvas";

const MOST = 8;

/** A flow to be looked at: its picture and its nodes by name. */
export function FlowOutline({ flow, label, muted = false }: { flow: JsonRecord; label: string; muted?: boolean }) {
  const { t } = useTranslation();
  const parsed = useMemo(() => parseFlow(flow), [flow]);
  const nodes = useMemo(() => readingOrder(parsed), [parsed]);
  const more = nodes.length - MOST;
  if (nodes.length === 0) {
    return <p className="px-3 pb-2 text-muted">{t("assistant.cards.flow.empty")}</p>;
  }
  return (
    <>
      <div className="border-y border-line">
        <MiniCanvas flow={parsed} muted={muted} />
      </div>
      <ul aria-label={label} className="flex flex-wrap gap-x-3 gap-y-1 px-3 py-2 text-muted">
        {nodes.slice(0, MOST).map((node) => (
          <li key={node.id} className="flex max-w-full items-center gap-1">
            <NodeIcon name={node.icon} className="size-3.5 shrink-0" />
            <span className="truncate">{node.title || node.type}</span>
          </li>
        ))}
        {more > 0 ? <li className="text-faint">{t("assistant.cards.flow.more", { count: more })}</li> : null}
      </ul>
    </>
  );
}
