import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Textarea } from "@/ui/Field";

/** Running again takes the place of the last turn; further up, what is there stays and a new message is sent. */
export type Rerun = "replace" | "new";

export function MessageEditor({
  text,
  rerun,
  onSave,
  onRun,
  onDone,
}: {
  text: string;
  rerun: Rerun | null;
  onSave: (text: string) => Promise<void>;
  onRun: (text: string) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(text);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(-1, -1);
  }, []);

  const save = async (): Promise<void> => {
    if (draft === text) return onDone();
    setBusy(true);
    setError(null);
    try {
      await onSave(draft);
      onDone();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };

  return (
    <div className="space-y-2">
      <Textarea
        ref={area}
        aria-label={t("playground.editLabel")}
        className="field-sizing-content max-h-80"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const saves = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (event.key !== "Escape" && !saves) return;
          event.preventDefault();
          // Escape leaves the editor, not the drawer it may be in.
          event.stopPropagation();
          if (saves) void save();
          else onDone();
        }}
      />
      {error ? <ErrorNotice error={error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" busy={busy} onClick={() => void save()}>
          {t("common.save")}
        </Button>
        {rerun ? (
          <Button
            size="sm"
            aria-disabled={draft.trim() === "" || undefined}
            onClick={() => {
              if (draft.trim() === "") return;
              onDone();
              onRun(draft);
            }}
          >
            {rerun === "replace" ? t("playground.runAgain") : t("playground.sendAsNew")}
          </Button>
        ) : null}
        <Button size="sm" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}
