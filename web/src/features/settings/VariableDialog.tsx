import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import type { VariableRead, VariableType } from "@/api/types";
import { createVariable, patchVariable, type VariableInput, variableKeys } from "@/api/variables";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input, Textarea } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { Select } from "@/ui/Select";
import { TagsInput } from "@/ui/TagsInput";

export function VariableDialog({
  variable,
  onClose,
}: {
  variable: VariableRead | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const secretKept = variable?.type === "Credential" && variable.has_value;
  const [name, setName] = useState(variable?.name ?? "");
  const [type, setType] = useState<VariableType>(variable?.type ?? "Credential");
  const [value, setValue] = useState(variable?.value ?? "");
  const [replacing, setReplacing] = useState(!secretKept);
  const [fields, setFields] = useState(variable?.default_fields ?? []);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) {
      setMissing(true);
      first.current?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      if (variable) {
        const patch: Partial<VariableInput> = { default_fields: fields };
        if (name.trim() !== variable.name) patch.name = name.trim();
        if (type !== variable.type) patch.type = type;
        if (replacing && (type === "Credential" ? value !== "" : value !== variable.value)) patch.value = value;
        await patchVariable(variable.id, patch);
      } else {
        await createVariable({ name: name.trim(), type, value, default_fields: fields });
      }
      await queryClient.invalidateQueries({ queryKey: variableKeys.all });
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
      title={
        variable ? t("settings.variables.editTitle", { name: variable.name }) : t("settings.variables.new")
      }
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("settings.variables.name")}
          required
          error={missing && !name.trim() ? t("settings.nameMissing") : problem?.field("name")}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("settings.variables.type")}
          hint={
            type === "Credential"
              ? t("settings.variables.credentialHint")
              : t("settings.variables.genericHint")
          }
        >
          {({ id, "aria-describedby": describedBy }) => (
            <Select<VariableType>
              id={id}
              aria-describedby={describedBy}
              value={type}
              onChange={(next) => {
                setType(next);
                if (next !== variable?.type) setReplacing(true);
              }}
              options={[
                { value: "Credential", label: t("settings.variables.credential") },
                { value: "Generic", label: t("settings.variables.generic") },
              ]}
            />
          )}
        </Field>
        {replacing ? (
          <Field label={t("settings.variables.value")} error={problem?.field("value")}>
            {(control) =>
              type === "Credential" ? (
                <PasswordInput
                  {...control}
                  autoComplete="off"
                  value={value}
                  onChange={(event) => setValue(event.target.value)}
                />
              ) : (
                <Textarea
                  {...control}
                  rows={2}
                  spellCheck={false}
                  value={value}
                  onChange={(event) => setValue(event.target.value)}
                />
              )
            }
          </Field>
        ) : (
          <div className="flex items-center gap-3 rounded-md border border-line bg-sunken px-3 py-2">
            <p className="flex-1 text-muted">{t("settings.variables.kept")}</p>
            <Button size="sm" onClick={() => setReplacing(true)}>
              {t("settings.variables.replace")}
            </Button>
          </div>
        )}
        <Field label={t("settings.variables.fields")} optional hint={t("settings.variables.fieldsHint")}>
          {({ required: _, ...control }) => <TagsInput {...control} value={fields} onChange={setFields} />}
        </Field>
        {error ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
