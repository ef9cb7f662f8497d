import { ExternalLink } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { buttonClass } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { Switch } from "@/ui/Switch";
import { type SaveFlow, useAccess } from "./useAccess";

export default function PublicLinkDialog({
  flow,
  onClose,
  save,
}: {
  flow: FlowRead;
  onClose: () => void;
  save?: SaveFlow;
}) {
  const { t } = useTranslation();
  const id = useId();
  const access = useAccess(flow, save);
  const link = `${location.origin}/playground/${flow.id}`;
  return (
    <Dialog open onClose={onClose} title={t("share.link.title")} description={t("share.link.about")} size="md">
      <div className="space-y-4">
        <div className="flex items-start gap-3">
          <Switch
            id={id}
            checked={access.isPublic}
            aria-describedby={`${id}-note`}
            disabled={access.busy || flow.locked}
            onChange={(on) => void access.change(on ? "PUBLIC" : "PRIVATE")}
          />
          <div className="min-w-0">
            <label htmlFor={id} className="text-sm font-medium">
              {t("share.link.switch")}
            </label>
            <p id={`${id}-note`} className="text-xs text-muted">
              {flow.locked
                ? t("share.locked")
                : access.isPublic
                  ? t("share.link.publicHint")
                  : t("share.link.privateHint")}
            </p>
          </div>
        </div>
        {access.error ? <ErrorNotice error={access.error} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Input
            readOnly
            aria-label={t("share.link.address")}
            value={link}
            disabled={!access.isPublic}
            className="min-w-48 flex-1 font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          {access.isPublic ? (
            <>
              <CopyButton text={link} label={t("share.link.copy")} />
              <a href={link} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
                <ExternalLink aria-hidden="true" className="size-4" />
                {t("common.open")}
              </a>
            </>
          ) : null}
        </div>
        <ul className="list-disc space-y-1 pl-5 text-xs text-muted">
          <li>{t("share.link.own")}</li>
          <li>{t("share.link.hidden")}</li>
          <li>{t("share.link.cost")}</li>
        </ul>
      </div>
    </Dialog>
  );
}
