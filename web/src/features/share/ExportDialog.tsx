import { Download, FolderArchive } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { exportFlow, projectArchive } from "@/api/share";
import { saveResponse } from "@/api/transfer";
import type { FlowRead } from "@/api/types";
import { prettyJson } from "@/flow/prettyJson";
import { stripSecrets } from "@/flow/stripSecrets";
import { Button, buttonClass } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { fileNameOf } from "./fileName";
import { Notice } from "./Notice";

export default function ExportDialog({
  flow,
  document,
  flush,
  onClose,
}: {
  flow: FlowRead;
  document: unknown;
  flush?: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState(() => fileNameOf(flow.name));
  const [pretty, setPretty] = useState(true);
  const [secrets, setSecrets] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { removed } = useMemo(() => stripSecrets(document), [document]);

  const run = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await flush?.();
      const text = await exportFlow(flow.id, secrets);
      const file = new Response(new Blob([pretty ? prettyJson(text) : text], { type: "application/json" }));
      await saveResponse(file, fileNameOf(name));
      onClose();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      size="md"
      title={t("share.export.title")}
      description={t("share.export.about")}
      footer={
        <>
          <a href={projectArchive(flow.folder_id)} download className={buttonClass("ghost")}>
            <FolderArchive aria-hidden="true" className="size-4" />
            {t("share.export.project")}
          </a>
          <span className="flex-1" />
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            variant={secrets ? "danger" : "primary"}
            busy={busy}
            icon={<Download aria-hidden="true" className="size-4" />}
            onClick={() => void run()}
          >
            {secrets ? t("share.export.runWithSecrets") : t("share.export.run")}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Field label={t("share.export.name")}>
          {(control) => (
            <Input
              {...control}
              spellCheck={false}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Choice id={`${id}-pretty`} checked={pretty} onChange={setPretty} label={t("share.export.pretty")} />
        <Removed fields={removed} kept={secrets} />
        {removed.length > 0 ? (
          <Choice id={`${id}-secrets`} checked={secrets} onChange={setSecrets} label={t("share.export.secrets")} />
        ) : null}
        {secrets ? <Notice>{t("share.export.warning")}</Notice> : null}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  );
}

function Choice({
  id,
  checked,
  onChange,
  label,
}: {
  id: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
}) {
  return (
    <div className="flex items-center gap-2 text-sm">
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

function Removed({ fields, kept }: { fields: ReturnType<typeof stripSecrets>["removed"]; kept: boolean }) {
  const { t } = useTranslation();
  if (fields.length === 0) return <p className="text-sm text-muted">{t("share.export.noSecrets")}</p>;
  const count = fields.length;
  return (
    <div className="space-y-1 text-sm">
      <p className="font-medium">{kept ? t("share.export.kept", { count }) : t("share.export.removed", { count })}</p>
      <ul
        aria-label={t("share.export.list")}
        tabIndex={0}
        className="scroll-thin max-h-40 overflow-y-auto rounded-lg border border-line p-2"
      >
        {fields.map((field, index) => (
          <li key={`${field.node}-${field.field}-${index}`} className="flex flex-wrap gap-x-2 px-1 py-0.5">
            <span className="font-medium">{field.title}</span>
            <span className="text-muted">{field.field}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
