import { Braces, ClipboardCopy, Download, Globe, MessageSquareCode, Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { stripSecrets } from "@/flow/stripSecrets";
import { part } from "@/lib/part";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/copyText";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import type { SaveFlow } from "./useAccess";

const ApiDialog = lazy(() => part(() => import("./ApiDialog")));
const EmbedDialog = lazy(() => part(() => import("./EmbedDialog")));
const ExportDialog = lazy(() => part(() => import("./ExportDialog")));
const PublicLinkDialog = lazy(() => part(() => import("./PublicLinkDialog")));

type Open = "api" | "embed" | "link" | "export";

export interface ShareMenuProps {
  flow: FlowRead;
  /** The flow's document as it is on the screen, with what is not saved yet. */
  document: unknown;
  /** The editor's own way to write, so that its revision stays the newest. */
  save?: SaveFlow;
  /** Saves what is on the screen; an export is made from what is saved. */
  flush?: () => Promise<unknown>;
}

export default function ShareMenu({ flow, document, save, flush }: ShareMenuProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const saving = save ? { save } : {};

  const copyJson = (): void => {
    const { document: data, removed } = stripSecrets(document);
    const { name, description, tags, icon } = flow;
    copyText(JSON.stringify({ name, description, tags, icon, data }, null, 2)).then(() => {
      const message = removed.length > 0 ? t("share.copiedWithout", { count: removed.length }) : t("share.copied");
      showToast({ tone: "success", message });
    }, toastError);
  };

  return (
    <>
      <Menu
        trigger={
          <Button
            aria-label={t("share.title")}
            title={t("share.title")}
            className="max-sm:px-2"
            icon={<Share2 aria-hidden="true" className="size-4" />}
          >
            <span className="hidden lg:inline">{t("share.title")}</span>
          </Button>
        }
      >
        <MenuItem icon={<Braces />} onSelect={() => setOpen("api")}>
          {t("share.menu.api")}
        </MenuItem>
        <MenuItem icon={<MessageSquareCode />} onSelect={() => setOpen("embed")}>
          {t("share.menu.embed")}
        </MenuItem>
        <MenuItem icon={<Globe />} onSelect={() => setOpen("link")}>
          {t("share.menu.link")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Download />} onSelect={() => setOpen("export")}>
          {t("share.menu.export")}
        </MenuItem>
        <MenuItem icon={<ClipboardCopy />} onSelect={copyJson}>
          {t("share.menu.copy")}
        </MenuItem>
      </Menu>
      <Suspense>
        {open === "api" ? <ApiDialog flow={flow} document={document} onClose={close} /> : null}
        {open === "embed" ? <EmbedDialog flow={flow} document={document} onClose={close} {...saving} /> : null}
        {open === "link" ? <PublicLinkDialog flow={flow} onClose={close} {...saving} /> : null}
        {open === "export" ? (
          <ExportDialog flow={flow} document={document} onClose={close} {...(flush ? { flush } : {})} />
        ) : null}
      </Suspense>
    </>
  );
}
