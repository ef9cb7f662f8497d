import { Download, History, ListTree, MessagesSquare, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { downloadFlows } from "@/api/flows";
import { saveResponse } from "@/api/transfer";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { keysOf } from "@/stores/shortcuts";
import { Button } from "@/ui/Button";
import { toastError } from "@/ui/toastError";
import { Tooltip } from "@/ui/Tooltip";
import { DOCK_ID } from "./Dock";
import type { Panel } from "./views";

export function FlowActions({
  flow,
  panel,
  onToggle,
}: {
  flow: FlowRead;
  panel: Panel | null;
  onToggle: (panel: Panel) => void;
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
      <ExportButton flow={flow} />
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
  return (
    <Tooltip
      label={usable ? t("playground.title") : t("playground.noEnds")}
      {...(usable ? { shortcut: keysOf("playground") } : {})}
    >
      <Button
        id={PLAYGROUND_BUTTON_ID}
        variant="primary"
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

function ExportButton({ flow }: { flow: FlowRead }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await saveResponse(await downloadFlows([flow.id]), `${flow.name}.json`);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      aria-label={t("flow.action.export")}
      title={t("flow.action.export")}
      busy={busy}
      className="max-sm:px-2"
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void run()}
    >
      <span className="hidden 2xl:inline">{t("flow.action.export")}</span>
    </Button>
  );
}
