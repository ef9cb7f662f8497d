import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { explainError } from "@/ui/explainError";
import { ProgressBar } from "@/ui/ProgressBar";
import { dropUpload, type UploadItem, useUploads } from "./uploads";

function Reason({ item }: { item: UploadItem }) {
  const { t } = useTranslation();
  if (item.tooLarge) return <p className="text-xs text-danger">{t("files.tooLarge")}</p>;
  if (!item.error) return <ProgressBar value={item.progress} label={t("files.uploading", { name: item.name })} />;
  const { sentence, advice } = explainError(item.error, t);
  return (
    <p className="text-xs text-danger">
      {sentence} {advice}
    </p>
  );
}

export function UploadList() {
  const { t } = useTranslation();
  const items = useUploads((state) => state.items);
  if (items.length === 0) return null;
  return (
    <ul aria-label={t("files.uploads")} className="mb-4 space-y-2">
      {items.map((item) => (
        <li key={item.id} className="flex items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2">
          <div className="min-w-0 flex-1" role="status">
            <p className="truncate font-medium">{item.name}</p>
            <Reason item={item} />
          </div>
          <IconButton
            label={
              item.error || item.tooLarge
                ? t("common.dismiss")
                : t("files.stop", { name: item.name })
            }
            icon={<X className="size-4" />}
            size="sm"
            onClick={() => dropUpload(item.id)}
          />
        </li>
      ))}
    </ul>
  );
}
