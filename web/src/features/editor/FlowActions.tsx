import { History, ListTree, MessagesSquare, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { useKeys } from "@/stores/shortcuts";
import { Button } from "@/ui/Button";
import { Tooltip } from "@/ui/Tooltip";
import { DOCK_ID } from "./Dock";
import type { Panel } from "./views";

export function FlowActions({
  flow,
  panel,
  onToggle,
  share,
}: {
  flow: FlowRead;
  panel: Panel | null;
  onToggle: (panel: Panel) => void;
  /** The menu of another feature. */
  share: ReactNode;
}) {
  const { t } = useTranslation();
  const toggle = (name: Panel, label: string, icon: ReactNode): ReactNode => (
    <Button
      variant="ghost"
      aria-label={label}
      title={label}
      aria-expanded={panel === name}
      aria-controls={panel === name ? DOCK_ID : undefined}
      className="aria-expanded:bg-accent-soft aria-expanded:text-accent max-sm:px-2"
      icon={icon}
      onClick={() => onToggle(name)}
    >
      <span className="hidden 2xl:inline">{label}</span>
    </Button>
  );
  return (
    <div className="flex items-center gap-1">
      {toggle("outline", t("flow.panel.outline"), <ListTree aria-hidden="true" className="size-4" />)}
      {toggle(
        "details",
        t("flow.panel.details"),
        <SlidersHorizontal aria-hidden="true" className="size-4" />,
      )}
      {toggle("versions", t("flow.panel.versions"), <History aria-hidden="true" className="size-4" />)}
      {share}
      <PlaygroundButton flow={flow} open={panel === "playground"} onToggle={() => onToggle("playground")} />
    </div>
  );
}

export const PLAYGROUND_BUTTON_ID = "flow-playground";

export function canChat(flow: FlowRead): boolean {
  const ends = chatEnds(flow.data);
  return ends.input || ends.output;
}

function PlaygroundButton({
  flow,
  open,
  onToggle,
}: {
  flow: FlowRead;
  open: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation();
  const usable = canChat(flow);
  const keys = useKeys("playground");
  return (
    <Tooltip
      label={usable ? t("playground.title") : t("playground.noEnds")}
      {...(usable ? { shortcut: keys } : {})}
    >
      <Button
        id={PLAYGROUND_BUTTON_ID}
        className="max-sm:px-2"
        aria-label={t("playground.title")}
        aria-disabled={!usable || undefined}
        aria-description={usable ? undefined : t("playground.noEnds")}
        aria-expanded={open}
        aria-controls={open ? DOCK_ID : undefined}
        icon={<MessagesSquare aria-hidden="true" className="size-4" />}
        onClick={() => usable && onToggle()}
      >
        <span className="hidden sm:inline">{t("playground.title")}</span>
      </Button>
    </Tooltip>
  );
}
