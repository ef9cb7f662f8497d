import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import type { FlowPatch } from "@/api/flows";
import { projectsQuery } from "@/api/projects";
import type { AccessType, FlowRead } from "@/api/types";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input, Textarea } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { TagsInput } from "@/ui/TagsInput";
import { fullTime } from "@/ui/time";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import type { FlowWrites } from "./useFlowWrites";

interface Draft {
  description: string;
  tags: string[];
  endpoint_name: string;
  folder_id: string;
  access_type: AccessType;
}

function draftOf(flow: FlowRead): Draft {
  return {
    description: flow.description ?? "",
    tags: flow.tags ?? [],
    endpoint_name: flow.endpoint_name ?? "",
    folder_id: flow.folder_id,
    access_type: flow.access_type,
  };
}

/** Only what was changed is sent: a field nobody touched cannot overwrite anybody's change. */
function patchOf(flow: FlowRead, draft: Draft): FlowPatch {
  const before = draftOf(flow);
  const patch: FlowPatch = {};
  if (draft.description !== before.description) patch.description = draft.description;
  if (JSON.stringify(draft.tags) !== JSON.stringify(before.tags)) patch.tags = draft.tags;
  if (draft.endpoint_name.trim() !== before.endpoint_name)
    patch.endpoint_name = draft.endpoint_name.trim() || null;
  if (draft.folder_id !== before.folder_id) patch.folder_id = draft.folder_id;
  if (draft.access_type !== before.access_type) patch.access_type = draft.access_type;
  return patch;
}

const ownFields = ["description", "tags", "endpoint_name", "folder_id", "access_type"];

export function DetailsPanel({ flow, save }: { flow: FlowRead; save: FlowWrites["save"] }) {
  const { t, i18n } = useTranslation();
  // Only what was touched: the rest follows the flow when it is changed elsewhere.
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const draft = { ...draftOf(flow), ...edits };
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const projects = useQuery(projectsQuery);
  const patch = patchOf(flow, draft);
  const dirty = Object.keys(patch).length > 0;
  const problem = error ? asApiError(error) : null;
  const general = problem && !problem.fields.some((field) => ownFields.includes(field.field));
  const change = (part: Partial<Draft>): void => setEdits((current) => ({ ...current, ...part }));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!dirty || busy) return;
    setBusy(true);
    setError(null);
    try {
      if (!(await save(patch))) return;
      setEdits({});
      showToast({ tone: "success", message: t("flow.details.saved") });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  const lock = async (locked: boolean): Promise<void> => {
    try {
      await save({ locked });
    } catch (cause) {
      toastError(cause);
    }
  };

  return (
    <div className="space-y-5 p-4">
      <LockRow locked={flow.locked} onChange={(locked) => void lock(locked)} />
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <fieldset disabled={flow.locked} className="min-w-0 space-y-4 disabled:opacity-60">
          <Field label={t("flow.details.description")} error={problem?.field("description")}>
            {(control) => (
              <Textarea
                {...control}
                value={draft.description}
                onChange={(event) => change({ description: event.target.value })}
              />
            )}
          </Field>
          <Field
            label={t("flow.details.tags")}
            hint={t("flow.details.tagsHint")}
            error={problem?.field("tags")}
          >
            {({ id, ...control }) => (
              <TagsInput
                id={id}
                aria-describedby={control["aria-describedby"]}
                aria-invalid={control["aria-invalid"]}
                value={draft.tags}
                onChange={(tags) => change({ tags })}
              />
            )}
          </Field>
          <Field
            label={t("flow.details.endpoint")}
            hint={t("flow.details.endpointHint")}
            error={problem?.field("endpoint_name")}
          >
            {(control) => (
              <Input
                {...control}
                spellCheck={false}
                autoComplete="off"
                value={draft.endpoint_name}
                onChange={(event) => change({ endpoint_name: event.target.value })}
              />
            )}
          </Field>
          <Field label={t("flow.details.project")} error={problem?.field("folder_id")}>
            {({ id, "aria-describedby": described }) => (
              <Select
                id={id}
                aria-describedby={described}
                disabled={flow.locked}
                value={draft.folder_id}
                options={(projects.data ?? []).map((project) => ({ value: project.id, label: project.name }))}
                onChange={(folder_id) => change({ folder_id })}
              />
            )}
          </Field>
          <Field
            label={t("flow.details.access")}
            hint={
              draft.access_type === "PUBLIC" ? t("flow.details.publicHint") : t("flow.details.privateHint")
            }
            error={problem?.field("access_type")}
          >
            {({ id, "aria-describedby": described }) => (
              <Select<AccessType>
                id={id}
                aria-describedby={described}
                disabled={flow.locked}
                value={draft.access_type}
                options={[
                  { value: "PRIVATE", label: t("flow.details.private") },
                  { value: "PUBLIC", label: t("flow.details.public") },
                ]}
                onChange={(access_type) => change({ access_type })}
              />
            )}
          </Field>
        </fieldset>
        {general ? <ErrorNotice error={error} /> : null}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={busy} disabled={!dirty || flow.locked}>
            {t("common.save")}
          </Button>
          <Button
            disabled={!dirty}
            onClick={() => {
              setEdits({});
              setError(null);
            }}
          >
            {t("flow.details.reset")}
          </Button>
        </div>
      </form>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line pt-4 text-xs">
        <dt className="text-muted">{t("flow.details.created")}</dt>
        <dd>{fullTime(flow.created_at, i18n.language)}</dd>
        <dt className="text-muted">{t("flow.details.updated")}</dt>
        <dd>{fullTime(flow.updated_at, i18n.language)}</dd>
        <dt className="text-muted">{t("flow.details.revision")}</dt>
        <dd>{flow.revision}</dd>
        <dt className="text-muted">{t("flow.details.id")}</dt>
        <dd className="font-mono break-all">{flow.id}</dd>
        {flow.access_type === "PUBLIC" ? (
          <>
            <dt className="text-muted">{t("flow.details.publicLink")}</dt>
            <dd className="break-all">
              <a
                className="text-accent underline"
                href={`/playground/${flow.id}`}
              >{`${location.origin}/playground/${flow.id}`}</a>
            </dd>
          </>
        ) : null}
      </dl>
    </div>
  );
}

function LockRow({ locked, onChange }: { locked: boolean; onChange: (locked: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-3 rounded-lg border border-line p-3">
      <div className="min-w-0 flex-1">
        <label htmlFor="flow-locked" className="text-sm font-medium">
          {t("flow.details.locked")}
        </label>
        <p id="flow-locked-hint" className="text-xs text-muted">
          {locked ? t("flow.details.lockedHint") : t("flow.details.unlockedHint")}
        </p>
      </div>
      <Switch id="flow-locked" aria-describedby="flow-locked-hint" checked={locked} onChange={onChange} />
    </div>
  );
}
