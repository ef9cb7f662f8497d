import { FileText, Upload, X } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ChosenFile, chosenFiles, fileEntry } from "@/flow/values/files";
import { removeAt } from "@/flow/values/lists";
import { part } from "@/lib/part";
import { carriesFiles } from "@/ui/carriesFiles";
import { cx } from "@/ui/cx";
import { boxClass, smallButton } from "./box";
import { ChipLine } from "./Chips";
import type { ControlProps } from "./props";

const FileDialog = lazy(() => part(() => import("./FileDialog")));

/** Files that were uploaded; more can be dropped on it. */
export function FileControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, place, readOnly, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const [dropped, setDropped] = useState<File[]>([]);
  const [over, setOver] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const files = chosenFiles(raw);
  const save = (next: readonly ChosenFile[]) => {
    const { value, file_path } = fileEntry(next, field.list);
    onChange(value, { file_path });
    onLeave();
  };
  return (
    <div className="w-full min-w-0">
      <div
        className={cx(boxClass(props), over && "border-accent! bg-accent-soft")}
        onDragOver={(event) => {
          if (readOnly || !carriesFiles(event.dataTransfer)) return;
          event.preventDefault();
          event.stopPropagation();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          const given = [...event.dataTransfer.files];
          if (readOnly || given.length === 0) return;
          event.preventDefault();
          event.stopPropagation();
          setDropped(given);
          setOpen(true);
        }}
      >
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          disabled={readOnly}
          className="flex h-full min-h-6 min-w-0 flex-1 items-center gap-1.5 px-2 text-left"
          onClick={() => {
            setDropped([]);
            setOpen(true);
          }}
        >
          <span className="sr-only">{label}</span>
          {files.length === 0 ? (
            <Upload aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
          ) : (
            <FileText aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
          )}
          <ChipLine
            plain={files.length === 1}
            items={files.map(({ name }) => name)}
            empty={field.placeholder || (field.list ? t("fields.file.chooseSeveral") : t("fields.file.choose"))}
          />
        </button>
        {place === "card" && files.length === 1 && !readOnly ? (
          <button
            type="button"
            className={smallButton}
            aria-label={t("common.removeTag", { tag: files[0]?.name ?? "" })}
            onClick={() => save([])}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        ) : null}
      </div>
      {place === "panel" && files.length > 0 ? (
        <ul aria-label={label} className="mt-1 space-y-0.5">
          {files.map(({ path, name }, index) => (
            <li key={path} className="flex items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
              <span className="min-w-0 flex-1 truncate" title={path}>
                {name}
              </span>
              {readOnly ? null : (
                <button
                  type="button"
                  className={smallButton}
                  aria-label={t("common.removeTag", { tag: name })}
                  onClick={() => save(removeAt(files, index))}
                >
                  <X aria-hidden="true" className="size-3.5" />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {open ? (
        <Suspense>
          <FileDialog
            {...props}
            files={files}
            dropped={dropped}
            onSave={save}
            onClose={() => {
              setOpen(false);
              button.current?.focus();
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
