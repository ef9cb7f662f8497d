import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead } from "@/api/types";
import { chatEnds } from "@/flow/chatEnds";
import { embedAttributes, type EmbedOptions, embedSnippet } from "@/flow/embedSnippet";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { CodeBlock } from "./CodeBlock";
import { EmbedPreview } from "./EmbedPreview";
import { Notice } from "./Notice";
import { type SaveFlow, useAccess } from "./useAccess";

export default function EmbedDialog({
  flow,
  document,
  onClose,
  save,
}: {
  flow: FlowRead;
  document: unknown;
  onClose: () => void;
  save?: SaveFlow;
}) {
  const { t } = useTranslation();
  const access = useAccess(flow, save);
  const ends = chatEnds(document);
  const [options, setOptions] = useState<EmbedOptions>({
    title: flow.name,
    placeholder: "",
    theme: "auto",
    position: "bottom-right",
    accent: "",
    startOpen: false,
  });
  return (
    <Dialog open onClose={onClose} size="xl" title={t("share.embed.title")} description={t("share.embed.about")}>
      <div className="space-y-4">
        {access.isPublic ? null : (
          <Notice
            action={
              <Button size="sm" busy={access.busy} disabled={flow.locked} onClick={() => void access.change("PUBLIC")}>
                {t("share.embed.makePublic")}
              </Button>
            }
          >
            {flow.locked ? t("share.locked") : t("share.embed.private")}
          </Notice>
        )}
        {ends.input && ends.output ? null : <Notice>{t("share.embed.noEnds")}</Notice>}
        {access.error ? <ErrorNotice error={access.error} /> : null}
        <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
          <div className="min-w-0 space-y-4">
            <EmbedForm options={options} onChange={(part) => setOptions((current) => ({ ...current, ...part }))} />
            <div className="space-y-2">
              <CodeBlock label={t("share.embed.code")} code={embedSnippet(location.origin, flow.id, options)} />
              <p className="text-xs text-muted">{t("share.embed.langflow")}</p>
            </div>
          </div>
          <div className="min-w-0 space-y-2">
            <h3 className="text-sm font-medium">{t("share.embed.preview")}</h3>
            <EmbedPreview
              label={t("share.embed.preview")}
              attributes={embedAttributes(location.origin, flow.id, options)}
            />
            <p className="text-xs text-muted">{t("share.embed.previewHint")}</p>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

function EmbedForm({ options, onChange }: { options: EmbedOptions; onChange: (part: Partial<EmbedOptions>) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t("share.embed.windowTitle")}>
        {(control) => (
          <Input {...control} value={options.title} onChange={(event) => onChange({ title: event.target.value })} />
        )}
      </Field>
      <Field label={t("share.embed.placeholder")} optional>
        {(control) => (
          <Input
            {...control}
            value={options.placeholder}
            onChange={(event) => onChange({ placeholder: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("share.embed.position")}>
        {(control) => (
          <Select
            id={control.id}
            value={options.position}
            onChange={(position) => onChange({ position })}
            options={[
              { value: "bottom-right", label: t("share.embed.bottomRight") },
              { value: "bottom-left", label: t("share.embed.bottomLeft") },
              { value: "top-right", label: t("share.embed.topRight") },
              { value: "top-left", label: t("share.embed.topLeft") },
              { value: "inline", label: t("share.embed.inline") },
            ]}
          />
        )}
      </Field>
      <Field label={t("share.embed.theme")}>
        {(control) => (
          <Select
            id={control.id}
            value={options.theme}
            onChange={(theme) => onChange({ theme })}
            options={[
              { value: "auto", label: t("share.embed.auto") },
              { value: "light", label: t("share.embed.light") },
              { value: "dark", label: t("share.embed.dark") },
            ]}
          />
        )}
      </Field>
      <Field label={t("share.embed.accent")}>
        {(control) => (
          <span className="flex items-center gap-2">
            <input
              {...control}
              type="color"
              value={options.accent || "#2b5bd7"}
              onChange={(event) => onChange({ accent: event.target.value })}
              className="h-(--control-h) w-12 rounded-md border border-line-strong bg-surface p-0.5"
            />
            {options.accent ? (
              <Button size="sm" variant="ghost" onClick={() => onChange({ accent: "" })}>
                {t("share.embed.accentReset")}
              </Button>
            ) : null}
          </span>
        )}
      </Field>
      {options.position === "inline" ? null : (
        <div className="flex items-center gap-2 self-end pb-1.5">
          <Switch id={id} checked={options.startOpen} onChange={(startOpen) => onChange({ startOpen })} />
          <label htmlFor={id} className="text-sm font-medium">
            {t("share.embed.startOpen")}
          </label>
        </div>
      )}
    </div>
  );
}
