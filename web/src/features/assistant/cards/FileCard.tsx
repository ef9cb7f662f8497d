import { Download, FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { fileSize } from "@/ui/time";
import type { WrittenFile } from "../model/types";
import type { CardActions } from "./actions";
import { FileDialog } from "./FileDialog";
import { saveText } from "./saveText";

/** A file the assistant wrote. It is in the person's own folder already: nothing has to be agreed to. */
export function FileCard({ message, file, actions }: { message: string; file: WrittenFile; actions: CardActions }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const [loading, setLoading] = useState<"open" | "download" | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [fetched, setFetched] = useState<string | null>(null);
  const { path, size, action } = file;
  const content = file.content ?? fetched;

  const withContent = async (what: "open" | "download", then: (text: string) => void): Promise<void> => {
    setProblem(null);
    if (content !== null) {
      then(content);
      return;
    }
    setLoading(what);
    try {
      const text = await actions.readFile(message, path);
      setFetched(text);
      then(text);
    } catch (error) {
      setProblem(error);
    } finally {
      setLoading(null);
    }
  };

  return (
    <section
      aria-label={t("assistant.cards.file.label", { path })}
      data-testid={`assistant-file-card-${path}`}
      className="rounded-lg border border-line bg-surface text-xs"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-1.5">
        <FileText aria-hidden="true" className="size-4 shrink-0 text-accent" />
        <span className="min-w-32 flex-1">
          <span className="block text-sm font-medium wrap-anywhere">{path}</span>
          <span className="block text-2xs text-muted">
            {action === "edit_file" ? t("assistant.cards.file.changed") : t("assistant.cards.file.written")}
            {" · "}
            {fileSize(size, i18n.language)}
          </span>
        </span>
        <span className="flex gap-1.5">
          <Button
            size="sm"
            busy={loading === "open"}
            aria-label={t("assistant.cards.file.openNamed", { path })}
            data-testid={`assistant-file-open-button-${path}`}
            onClick={() => void withContent("open", () => setOpen(true))}
          >
            {t("assistant.cards.file.open")}
          </Button>
          <Button
            size="sm"
            busy={loading === "download"}
            aria-label={t("assistant.cards.file.downloadNamed", { path })}
            icon={<Download aria-hidden="true" className="size-3.5" />}
            data-testid={`assistant-file-download-button-${path}`}
            onClick={() => void withContent("download", (text) => saveText(path, text))}
          >
            {t("assistant.cards.file.download")}
          </Button>
        </span>
      </div>
      {problem ? (
        <div className="px-3 pb-2">
          <ErrorNotice error={problem} />
        </div>
      ) : null}
      <FileDialog open={open} path={path} content={content ?? ""} onClose={() => setOpen(false)} />
    </section>
  );
}
