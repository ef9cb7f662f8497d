import { Eraser, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { Button, IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { Menu, MenuItem } from "@/ui/Menu";
import { chatOf, useChats } from "./chatStore";
import { isGoing } from "./runner";
import type { ChatSource } from "./source";
import type { Sessions } from "./useSessions";

const iconClass = "size-4";

/** Rename, and delete or empty, in a menu; not while a run is writing there. */
export function SessionActions({
  source,
  session,
  title,
  sessions,
}: {
  source: ChatSource;
  session: string;
  title: string;
  sessions: Sessions;
}) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const going = useChats((state) => isGoing(state.runs[chatOf(source, session)] ?? null));
  const isDefault = session === source.flowId;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton
            size="sm"
            label={t("playground.session.actions", { name: title })}
            tooltip={false}
            icon={<MoreHorizontal className={iconClass} />}
          />
        }
      >
        <MenuItem icon={<Pencil className={iconClass} />} disabled={going} onSelect={() => setDialog("rename")}>
          {t("playground.session.rename")}
        </MenuItem>
        <MenuItem
          icon={isDefault ? <Eraser className={iconClass} /> : <Trash2 className={iconClass} />}
          danger
          disabled={going}
          onSelect={() => setDialog("delete")}
        >
          {isDefault ? t("playground.session.clear") : t("playground.session.delete")}
        </MenuItem>
      </Menu>
      <RenameDialog
        open={dialog === "rename"}
        title={title}
        taken={sessions.names.filter((name) => name !== session)}
        onClose={() => setDialog(null)}
        onRename={(name) => sessions.rename(session, name)}
      />
      <ConfirmDialog
        open={dialog === "delete"}
        onClose={() => setDialog(null)}
        title={
          isDefault ? t("playground.session.clearTitle") : t("playground.session.deleteTitle", { name: title })
        }
        description={source.edits ? t("playground.session.deleteUndo") : t("playground.session.deleteText")}
        confirmLabel={isDefault ? t("playground.session.clear") : t("playground.session.delete")}
        onConfirm={() => sessions.remove([session])}
      />
    </>
  );
}

function RenameDialog({
  open,
  title,
  taken,
  onClose,
  onRename,
}: {
  open: boolean;
  title: string;
  taken: string[];
  onClose: () => void;
  onRename: (name: string) => Promise<void>;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const input = useRef<HTMLInputElement>(null);
  const wanted = (name ?? title).trim();
  const conflict = taken.includes(wanted) || (error !== null && asApiError(error).status === 409);

  const close = (): void => {
    setName(null);
    setError(null);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (wanted === title || wanted === "") return close();
    if (busy || taken.includes(wanted)) return;
    setBusy(true);
    setError(null);
    try {
      await onRename(wanted);
      close();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={close}
      title={t("playground.session.renameTitle")}
      initialFocus={input}
      footer={
        <>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form="playground-rename" busy={busy}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form id="playground-rename" className="space-y-3" onSubmit={(event) => void submit(event)}>
        <Field
          label={t("playground.session.name")}
          error={conflict ? t("playground.session.taken") : null}
        >
          {(control) => (
            <Input
              {...control}
              ref={input}
              maxLength={200}
              value={name ?? title}
              onChange={(event) => {
                setName(event.target.value);
                setError(null);
              }}
            />
          )}
        </Field>
        {error !== null && !conflict ? <ErrorNotice error={error} /> : null}
      </form>
    </Dialog>
  );
}
