import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { explainError } from "@/ui/explainError";
import { ProgressBar } from "@/ui/ProgressBar";
import { smallButton } from "./box";
import type { Uploading, UploadLine } from "./useUploads";

export function Uploads({ uploads, endings }: { uploads: Uploading; endings: readonly string[] }) {
  const { t } = useTranslation();
  if (uploads.lines.length === 0) return null;
  return (
    <ul aria-label={t("fields.file.uploads")} className="space-y-1">
      {uploads.lines.map((line) => (
        <li key={line.id} className="flex items-center gap-2 rounded-md border border-line px-3 py-1.5">
          <div role="status" className="min-w-0 flex-1">
            <p className="truncate">{line.name}</p>
            <Reason line={line} endings={endings} />
          </div>
          <button
            type="button"
            className={smallButton}
            aria-label={line.refused || line.error ? t("common.dismiss") : t("fields.file.stop", { name: line.name })}
            onClick={() => uploads.drop(line.id)}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Reason({ line, endings }: { line: UploadLine; endings: readonly string[] }) {
  const { t } = useTranslation();
  if (line.refused === "too_large") return <p className="text-xs text-danger">{t("fields.file.tooLarge")}</p>;
  if (line.refused === "wrong_kind")
    return <p className="text-xs text-danger">{t("fields.file.unsupported", { kinds: endings.slice(0, 20).join(", ") })}</p>;
  if (!line.error)
    return <ProgressBar value={line.progress} label={t("fields.file.uploading", { name: line.name })} />;
  const { sentence, advice } = explainError(line.error, t);
  return (
    <p className="text-xs text-danger">
      {sentence} {advice}
    </p>
  );
}
