import { Plus, RotateCcw } from "lucide-react";
import { Fragment, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ShortcutRow as Row } from "@/stores/shortcuts";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Kbd } from "@/ui/Kbd";
import { keyLabels } from "@/ui/keys";
import { Td } from "@/ui/Table";
import { useRecorder } from "./useRecorder";

const spoken = (keys: readonly string[]): string => keys.map((each) => keyLabels(each).join(" ")).join(", ");

/** One shortcut; pressing its keys records new ones. */
export function ShortcutRow({ row }: { row: Row }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const recorder = useRecorder(row, button);
  const { recording, note } = recorder;
  const keys =
    row.keys.length === 0 ? (
      <span className="text-xs text-muted">{t("shell.noKeys")}</span>
    ) : (
      row.keys.map((each) => (
        <Fragment key={each}>
          <Kbd keys={each} />{" "}
        </Fragment>
      ))
    );
  return (
    <tr className="border-t border-line">
      <Td className="w-1/2">
        <span className="flex items-center gap-2">
          {row.label}
          {row.changed ? <Badge tone="accent">{t("settings.shortcuts.changed")}</Badge> : null}
        </span>
      </Td>
      <Td className="py-1">
        {row.fixed ? (
          <span className="flex items-center gap-2">
            {keys}
            <span className="text-xs text-muted">{t("settings.shortcuts.fixed")}</span>
          </span>
        ) : (
          <button
            ref={button}
            type="button"
            aria-label={
              recording
                ? t("settings.shortcuts.recording", { name: row.label })
                : t("settings.shortcuts.change", {
                    name: row.label,
                    keys: spoken(row.keys) || t("shell.noKeys"),
                  })
            }
            className={cx(
              "-ml-2 flex h-7 min-w-24 items-center gap-2 rounded-md border px-2 transition-colors",
              recording ? "border-accent bg-accent-soft" : "border-line hover:border-line-strong hover:bg-hover",
            )}
            onClick={() => recorder.start("replace")}
            onKeyDown={recorder.onKeyDown}
            onKeyUp={recorder.onKeyUp}
            onBlur={recorder.onBlur}
          >
            {recording ? (
              <>
                <span className="text-xs font-medium text-accent">{t("settings.shortcuts.press")}</span>
                <span className="text-2xs text-muted max-sm:hidden">{t("settings.shortcuts.pressHint")}</span>
              </>
            ) : (
              keys
            )}
          </button>
        )}
        <div role="status" className="text-xs">
          {note ? (
            <span className="flex flex-wrap items-center gap-2 pt-1">
              <span className={note.moves ? "" : "text-danger"}>{note.text}</span>
              {note.moves ? (
                <>
                  <Button size="sm" variant="primary" onClick={recorder.move}>
                    {t("settings.shortcuts.move")}
                  </Button>
                  <Button size="sm" onClick={recorder.cancel}>
                    {t("common.cancel")}
                  </Button>
                </>
              ) : null}
            </span>
          ) : null}
        </div>
      </Td>
      <Td>
        {row.fixed ? null : (
          <span className="flex justify-end gap-0.5">
            <IconButton
              label={t("settings.shortcuts.reset", { name: row.label })}
              icon={<RotateCcw className="size-4" />}
              size="sm"
              className={cx(!row.changed && "invisible")}
              onClick={recorder.reset}
            />
            <IconButton
              label={t("settings.shortcuts.add", { name: row.label })}
              icon={<Plus className="size-4" />}
              size="sm"
              onClick={() => recorder.start("add")}
            />
          </span>
        )}
      </Td>
    </tr>
  );
}
