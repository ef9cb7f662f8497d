import { useQuery } from "@tanstack/react-query";
import { Globe, KeyRound, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { createVariable, variableKeys, variablesQuery } from "@/api/variables";
import { suggestedVariable, variableFits } from "@/flow/values/variables";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { PasswordInput } from "@/ui/PasswordInput";
import { takeFocus } from "./box";
import { PickAction, PickList } from "./PickList";
import type { ControlProps } from "./props";

const NONE: ReadonlySet<string> = new Set();

export default function VariableList(props: ControlProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { field, component, label, onVariable, onLeave, onClose } = props;
  const [creating, setCreating] = useState(false);
  const query = useQuery(variablesQuery);
  const variables = query.data ?? [];
  const use = (name: string) => {
    onVariable(name);
    onLeave();
    onClose();
  };
  if (creating)
    return (
      <NewVariable
        start={suggestedVariable(field, component, variables.map(({ name }) => name))}
        secret={field.kind === "secret"}
        onBack={() => setCreating(false)}
        onMade={use}
      />
    );
  return (
    <PickList
      label={t("fields.variable.use", { name: label })}
      loading={query.isPending}
      selected={field.variable ? new Set([field.variable]) : NONE}
      items={[...variables]
        .sort((a, b) => Number(variableFits(b.type, field)) - Number(variableFits(a.type, field)) || a.name.localeCompare(b.name))
        .map((variable) => {
          const fits = variableFits(variable.type, field);
          return {
            id: variable.name,
            label: variable.name,
            disabled: !fits,
            hint: fits
              ? variable.type === "Generic"
                ? (variable.value ?? "").slice(0, 80)
                : t("fields.variable.credential")
              : t("fields.variable.onlySecret"),
            icon:
              variable.type === "Credential" ? (
                <KeyRound aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
              ) : (
                <Globe aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
              ),
          };
        })}
      onPick={use}
      empty={query.error ? <ErrorNotice error={query.error} /> : t("fields.variable.none")}
      footer={
        <PickAction icon={<Plus aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t("fields.variable.new")}
        </PickAction>
      }
    />
  );
}

function NewVariable({
  start,
  secret,
  onBack,
  onMade,
}: {
  start: string;
  secret: boolean;
  onBack: () => void;
  onMade: (name: string) => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState(start);
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    if (name.trim() === "") {
      setMissing(true);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const made = await createVariable({
        name: name.trim(),
        type: secret ? "Credential" : "Generic",
        value,
        default_fields: [],
      });
      await queryClient.invalidateQueries({ queryKey: variableKeys.all });
      onMade(made.name);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };

  return (
    <form noValidate className="scroll-thin space-y-3 overflow-y-auto p-3" onSubmit={(event) => void submit(event)}>
      <p className="font-semibold">{t("fields.variable.new")}</p>
      <Field
        label={t("fields.variable.name")}
        required
        error={missing && name.trim() === "" ? t("fields.variable.nameMissing") : problem?.field("name")}
      >
        {(control) => (
          <Input
            {...control}
            ref={takeFocus}
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t("fields.variable.value")}
        error={problem?.field("value")}
        hint={secret ? t("fields.variable.credentialHint") : t("fields.variable.genericHint")}
      >
        {(control) =>
          secret ? (
            <PasswordInput {...control} autoComplete="off" value={value} onChange={(event) => setValue(event.target.value)} />
          ) : (
            <Input {...control} autoComplete="off" value={value} onChange={(event) => setValue(event.target.value)} />
          )
        }
      </Field>
      {error ? <ErrorNotice error={error} /> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t("fields.variable.create")}
        </Button>
      </div>
    </form>
  );
}
