import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fork } from "@/api/runs";
import { isRecord } from "@/flow/json";
import { byNode, type RunDetail, shownText, type StepInput } from "@/flow/runDetail";
import { unreadInput } from "@/flow/runFork";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Textarea } from "@/ui/Field";
import { Select } from "@/ui/Select";

/** What a person can sensibly change for one run: what was written on the node, not what a wire brings. */
function changeable(detail: RunDetail, node: string): StepInput[] {
  const step = detail.steps.find((item) => item.node === node);
  return (step?.inputs ?? []).filter(
    ({ source, shown }) =>
      ["literal", "default", "tweak"].includes(source) && shown.kind !== "secret" && !shown.cut,
  );
}

/** Runs again from a node on: what comes before is taken over, what is changed here holds for the new run alone. */
export function ForkDialog({
  open,
  from,
  detail,
  onClose,
  onFork,
}: {
  open: boolean;
  from: string;
  detail: RunDetail;
  onClose: () => void;
  onFork: (fork: Fork) => Promise<void>;
}) {
  const { t } = useTranslation();
  const nodes = byNode(detail.steps);
  const [node, setNode] = useState(from);
  const [input, setInput] = useState(detail.input ?? "");
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fields = changeable(detail, node);
  const unread = unreadInput(detail, node);

  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onFork(forkOf(node, unread !== null || input === (detail.input ?? "") ? null : input, fields, changed));
      onClose();
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
      title={t("runs.fork.title")}
      description={t("runs.fork.text")}
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" busy={busy} onClick={() => void start()}>
            {t("runs.fork.start")}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Field label={t("runs.fork.from")}>
          {(control) => (
            <Select
              id={control.id}
              value={node}
              onChange={(next) => {
                setNode(next);
                setChanged({});
              }}
              options={[
                { value: "", label: t("runs.fork.beginning") },
                ...nodes.map((item) => ({ value: item.node, label: item.name })),
              ]}
            />
          )}
        </Field>
        {detail.input === null ? null : (
          <Field
            label={t("runs.fork.input")}
            hint={unread === null ? t("runs.fork.inputHint") : t("runs.fork.inputUnread", { name: unread })}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                disabled={unread !== null}
                value={unread === null ? input : (detail.input ?? "")}
                onChange={(event) => setInput(event.target.value)}
              />
            )}
          </Field>
        )}
        {fields.length === 0 ? null : (
          <details>
            <summary className="w-fit rounded-sm text-sm font-medium">
              {t("runs.fork.fields", { count: fields.length })}
            </summary>
            <div className="mt-2 space-y-3">
              {fields.map((field) => (
                <Field key={field.field} label={field.label}>
                  {(control) => (
                    <Textarea
                      {...control}
                      rows={1}
                      className="min-h-8 font-mono text-xs"
                      value={changed[field.field] ?? shownText(field.shown)}
                      onChange={(event) => setChanged({ ...changed, [field.field]: event.target.value })}
                    />
                  )}
                </Field>
              ))}
            </div>
          </details>
        )}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  );
}

function forkOf(
  node: string,
  input: string | null,
  fields: readonly StepInput[],
  changed: Record<string, string>,
): Fork {
  const values = Object.fromEntries(
    fields.flatMap(({ field, shown }) => {
      const text = changed[field];
      return text === undefined || text === shownText(shown) ? [] : [[field, valueLike(shown.value, text)]];
    }),
  );
  return {
    ...(node === "" ? {} : { from_node: node }),
    ...(input === null ? {} : { input_value: input }),
    ...(Object.keys(values).length === 0 ? {} : { tweaks: { [node]: values } }),
  };
}

/** A number stays a number and a list a list, as far as what was typed can be read as one. */
function valueLike(before: unknown, text: string): unknown {
  const structured = isRecord(before) || Array.isArray(before);
  if (!structured && typeof before !== "number" && typeof before !== "boolean") return text;
  try {
    const value: unknown = JSON.parse(text);
    return structured || typeof value === typeof before ? value : text;
  } catch {
    return text;
  }
}
