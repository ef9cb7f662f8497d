import { useQueryClient } from "@tanstack/react-query";
import { Camera } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, notSaved } from "@/api/error";
import type { FlowRead } from "@/api/types";
import { createVersion, versionKeys } from "@/api/versions";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";

export const DESCRIPTION_LIMIT = 500;

export function SnapshotForm({
  flow,
  asked,
  flush,
}: {
  flow: FlowRead;
  /** Counts how often the form was asked for by a key; each time it takes the focus. */
  asked: number;
  /** Saves what is not saved yet: a version is made of what the server has. */
  flush: () => Promise<boolean>;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error ? asApiError(error) : null;
  const wrongText = problem?.field("description");
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (asked === 0) return;
    // After the dock has put the focus on its heading.
    const frame = requestAnimationFrame(() => input.current?.select());
    return () => cancelAnimationFrame(frame);
  }, [asked]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      if (!(await flush())) throw notSaved(t("flow.versions.notSaved"));
      await createVersion(flow.id, text.trim());
      setText("");
      await client.invalidateQueries({ queryKey: versionKeys.list(flow.id) });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="space-y-2 rounded-lg border border-line bg-bg p-3"
      onSubmit={(event) => void submit(event)}
    >
      <Field label={t("flow.versions.describe")} optional error={wrongText}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            maxLength={DESCRIPTION_LIMIT}
            value={text}
            placeholder={t("flow.versions.describeHint")}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {error && !wrongText ? <ErrorNotice error={error} /> : null}
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        icon={<Camera aria-hidden="true" className="size-4" />}
      >
        {t("flow.versions.save")}
      </Button>
    </form>
  );
}
