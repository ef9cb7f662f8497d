import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fileKeys, renameFile } from "@/api/files";
import { queryClient } from "@/api/queryClient";
import type { FileRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";

export function RenameFileDialog({ file, onClose }: { file: FileRead; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(file.name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted || busy) return;
    setBusy(true);
    setError(null);
    try {
      if (wanted !== file.name) await renameFile(file.id, wanted);
      await queryClient.invalidateQueries({ queryKey: fileKeys.all });
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
      title={t("files.renameTitle")}
      initialFocus={input}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form id={form} className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field label={t("files.name")} required>
          {(control) => (
            <Input {...control} ref={input} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
