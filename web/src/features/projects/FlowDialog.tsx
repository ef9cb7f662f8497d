import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input, Textarea } from "@/ui/Field";
import { TagsInput } from "@/ui/TagsInput";

export interface FlowDetails {
  name: string;
  description: string;
  tags: string[];
}

/** Name, description and tags: of a new flow or of one that is there. */
export function FlowDialog({
  open,
  title,
  description,
  initial,
  saveLabel,
  onSave,
  onClose,
  children,
}: {
  open: boolean;
  title: string;
  description?: string;
  initial: FlowDetails;
  saveLabel: string;
  onSave: (details: FlowDetails) => Promise<void>;
  onClose: () => void;
  children?: ReactNode | ((details: FlowDetails) => ReactNode);
}) {
  const { t } = useTranslation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const [details, setDetails] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!details.name.trim()) {
      setMissing(true);
      first.current?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await onSave({ ...details, name: details.name.trim(), description: details.description.trim() });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      {...(description ? { description } : {})}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("projects.field.name")}
          required
          error={missing && !details.name.trim() ? t("projects.nameMissing") : problem?.field("name")}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              maxLength={200}
              value={details.name}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setDetails({ ...details, name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("projects.field.description")} optional error={problem?.field("description")}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={details.description}
              onChange={(event) => setDetails({ ...details, description: event.target.value })}
            />
          )}
        </Field>
        {typeof children === "function" ? children(details) : children}
        <Field label={t("projects.field.tags")} optional hint={t("projects.tagsHint")} error={problem?.field("tags")}>
          {({ required: _, ...control }) => (
            <TagsInput {...control} value={details.tags} onChange={(tags) => setDetails({ ...details, tags })} />
          )}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
