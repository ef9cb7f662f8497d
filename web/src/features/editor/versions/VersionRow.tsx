import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Eye, GitCompare, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { VersionEntry } from "@/api/types";
import { describeVersion, versionKeys } from "@/api/versions";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Input } from "@/ui/Field";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";
import { RelativeTime } from "@/ui/RelativeTime";
import { toastError } from "@/ui/toastError";
import { DESCRIPTION_LIMIT } from "./SnapshotForm";

export interface VersionRowProps {
  flowId: string;
  entry: VersionEntry;
  active: boolean;
  onPreview: () => void;
  onCompare: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

export function VersionRow({
  flowId,
  entry,
  active,
  onPreview,
  onCompare,
  onRestore,
  onDelete,
}: VersionRowProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const name = `v${entry.version_number}`;
  return (
    <li className={cx("rounded-lg border p-2.5", active ? "border-accent bg-accent-soft" : "border-line")}>
      <div className="flex items-center gap-2">
        <span className="text-sm font-semibold tabular-nums">{name}</span>
        <span className="min-w-0 flex-1 truncate text-xs text-muted">
          <RelativeTime value={entry.created_at} /> · {t("flow.versions.nodes", { count: entry.node_count })}
        </span>
        <IconButton
          size="sm"
          label={t("flow.versions.preview", { version: name })}
          aria-pressed={active}
          icon={<Eye className="size-4" />}
          onClick={onPreview}
        />
        <Menu
          trigger={
            <IconButton
              size="sm"
              tooltip={false}
              label={t("flow.versions.actions", { version: name })}
              icon={<Ellipsis className="size-4" />}
            />
          }
        >
          <MenuItem icon={<GitCompare />} onSelect={onCompare}>
            {t("flow.versions.compare")}
          </MenuItem>
          <MenuItem icon={<RotateCcw />} onSelect={onRestore}>
            {t("flow.versions.restore")}
          </MenuItem>
          <MenuItem icon={<Pencil />} onSelect={() => setEditing(true)}>
            {t("flow.versions.editDescription")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
            {t("flow.versions.delete")}
          </MenuItem>
        </Menu>
      </div>
      {editing ? (
        <DescriptionForm flowId={flowId} entry={entry} onDone={() => setEditing(false)} />
      ) : entry.description ? (
        <p className="mt-1 text-sm break-words">{entry.description}</p>
      ) : null}
    </li>
  );
}

function DescriptionForm({
  flowId,
  entry,
  onDone,
}: {
  flowId: string;
  entry: VersionEntry;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [text, setText] = useState(entry.description ?? "");
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // After the menu that opened it has given the focus back.
    const frame = requestAnimationFrame(() => input.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await describeVersion(flowId, entry.id, text.trim());
      await client.invalidateQueries({ queryKey: versionKeys.list(flowId) });
      onDone();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };

  return (
    <form className="mt-2 flex gap-1.5" onSubmit={(event) => void submit(event)}>
      <Input
        ref={input}
        className="h-7"
        aria-label={t("flow.versions.descriptionOf", { version: `v${entry.version_number}` })}
        maxLength={DESCRIPTION_LIMIT}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onDone();
        }}
      />
      <Button type="submit" size="sm" variant="primary" busy={busy}>
        {t("common.save")}
      </Button>
      <Button size="sm" onClick={onDone}>
        {t("common.cancel")}
      </Button>
    </form>
  );
}
