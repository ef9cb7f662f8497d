import { Download, History, ListTree, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { downloadFlows } from "@/api/flows";
import { saveResponse } from "@/api/transfer";
import type { FlowRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { toastError } from "@/ui/toastError";
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
      className="aria-expanded:bg-accent-soft aria-expanded:text-accent"
      icon={icon}
      onClick={() => onToggle(name)}
    >
      <span className="hidden xl:inline">{label}</span>
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
    </div>
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
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void run()}
    >
      <span className="hidden sm:inline">{t("flow.action.export")}</span>
    </Button>
  );
}
