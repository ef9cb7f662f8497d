import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { filesQuery } from "@/api/files";
import { configQuery } from "@/api/session";
import type { FileRead } from "@/api/types";
import { acceptedEndings, type ChosenFile, isAccepted } from "@/flow/values/files";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { SkeletonRows } from "@/ui/Skeleton";
import { Island } from "./Island";
import type { ControlProps } from "./props";
import { Uploads } from "./Uploads";
import { useUploads } from "./useUploads";

const MEGABYTE = 1024 * 1024;
const SEARCH_FROM = 8;

/** Chooses among the uploaded files and uploads more. */
export default function FileDialog({
  files,
  dropped,
  onSave,
  onClose,
  ...props
}: ControlProps & {
  files: readonly ChosenFile[];
  dropped: readonly File[];
  onSave: (files: readonly ChosenFile[]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { field, raw, label } = props;
  const endings = acceptedEndings(raw);
  const [chosen, setChosen] = useState<readonly ChosenFile[]>(files);
  const [search, setSearch] = useState("");
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const query = useQuery(filesQuery);
  const config = useQuery(configQuery);
  const megabytes = config.data?.max_file_size_upload ?? 1024;

  const pick = ({ path, name }: ChosenFile, on: boolean) =>
    setChosen((now) => {
      const others = field.list ? now.filter((each) => each.path !== path) : [];
      return on ? [...others, { path, name }] : others;
    });
  const uploads = useUploads((file) => pick(file, true));
  const take = (given: readonly File[]) => {
    const wanted = field.list ? given : given.slice(0, 1);
    void uploads.start(wanted, { endings, maxBytes: megabytes * MEGABYTE });
  };
  const takeDropped = useEffectEvent(() => take(dropped));
  useEffect(() => {
    if (dropped.length > 0) takeDropped();
  }, [dropped]);

  const known = query.data ?? [];
  const gone = chosen.filter(({ path }) => query.data && !known.some((file) => file.path === path));
  const shown = known.filter((file) => file.name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Island>
      <Dialog
        open
        onClose={onClose}
        title={label}
        size="md"
        description={endings.length > 0 ? t("fields.file.kinds", { kinds: shortList(endings) }) : null}
        footer={
          <>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
            <Button
              variant="primary"
              disabled={uploads.busy}
              onClick={() => {
                onSave(chosen);
                onClose();
              }}
            >
              {chosen.length === 0 ? t("fields.file.useNone") : t("fields.file.use", { count: chosen.length })}
            </Button>
          </>
        }
      >
        <div
          className={cx("space-y-3 rounded-md", over && "outline-2 outline-accent outline-dashed")}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            take([...event.dataTransfer.files]);
          }}
        >
          <div className="flex flex-wrap items-center gap-3 rounded-md border border-dashed border-line-strong px-3 py-3">
            <Button icon={<Upload aria-hidden="true" className="size-4" />} onClick={() => picker.current?.click()}>
              {t("fields.file.upload")}
            </Button>
            <p className="text-xs text-muted">{t("fields.file.dropHint", { count: megabytes })}</p>
            <input
              ref={picker}
              type="file"
              hidden
              aria-label={t("fields.file.upload")}
              multiple={field.list}
              accept={endings.map((ending) => `.${ending}`).join(",")}
              onChange={(event) => {
                take([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
          </div>
          <Uploads uploads={uploads} endings={endings} />
          {known.length > SEARCH_FROM ? (
            <Input
              type="search"
              aria-label={t("fields.file.search")}
              placeholder={t("fields.file.search")}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          ) : null}
          {query.isPending ? (
            <SkeletonRows rows={3} label={t("common.loading")} />
          ) : query.error ? (
            <ErrorNotice error={query.error} />
          ) : (
            <ul aria-label={t("fields.file.uploaded")} className="scroll-thin max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line">
              {gone.map((file) => (
                <Line key={file.path} name={file.name} note={t("fields.file.gone")} checked onChange={(on) => pick(file, on)} />
              ))}
              {shown.map((file) => (
                <FileLine key={file.id} file={file} endings={endings} checked={chosen.some(({ path }) => path === file.path)} onChange={pick} />
              ))}
              {gone.length + shown.length === 0 ? (
                <li className="px-3 py-4 text-center text-muted">
                  {known.length === 0 ? t("fields.file.none") : t("fields.nothingFound")}
                </li>
              ) : null}
            </ul>
          )}
        </div>
      </Dialog>
    </Island>
  );
}

function FileLine({
  file,
  endings,
  checked,
  onChange,
}: {
  file: FileRead;
  endings: readonly string[];
  checked: boolean;
  onChange: (file: ChosenFile, on: boolean) => void;
}) {
  const { t, i18n } = useTranslation();
  const fits = isAccepted(file.name, endings);
  const size = new Intl.NumberFormat(i18n.language, {
    notation: "compact",
    style: "unit",
    unit: "byte",
    unitDisplay: "narrow",
  }).format(file.size);
  return (
    <Line
      name={file.name}
      note={fits ? size : t("fields.file.wrongKind")}
      checked={checked}
      disabled={!fits && !checked}
      onChange={(on) => onChange(file, on)}
    />
  );
}

function Line({
  name,
  note,
  checked,
  disabled = false,
  onChange,
}: {
  name: string;
  note: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <li>
      <label className={cx("flex min-h-9 items-center gap-2 px-3 py-1", disabled ? "text-faint" : "cursor-pointer hover:bg-hover")}>
        <Checkbox aria-label={name} checked={checked} disabled={disabled} onChange={onChange} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="shrink-0 text-xs text-muted">{note}</span>
      </label>
    </li>
  );
}

function shortList(endings: readonly string[]): string {
  const shown = endings.slice(0, 12).join(", ");
  return endings.length > 12 ? `${shown}, …` : shown;
}
