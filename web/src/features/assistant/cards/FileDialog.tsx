import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { CodeBlock } from "@/ui/CodeBlock";
import { CopyButton } from "@/ui/CopyButton";
import { Dialog } from "@/ui/Dialog";
import { AnswerText } from "./AnswerText";
import { saveText } from "./saveText";

/** Longer files are shown as far as this; the download has all of it. */
const MOST = 200_000;

const languages: Record<string, string> = {
  py: "python",
  js: "javascript",
  ts: "typescript",
  json: "json",
  yaml: "yaml",
  yml: "yaml",
  sh: "bash",
  sql: "sql",
  html: "xml",
  xml: "xml",
  css: "css",
};

/** A file to be read: Markdown as what it says, everything else as it is written. */
export function FileDialog({
  open,
  path,
  content,
  onClose,
}: {
  open: boolean;
  path: string;
  content: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={path}
      size="lg"
      reading
      footer={
        <>
          <CopyButton text={content} />
          <Button
            icon={<Download aria-hidden="true" className="size-4" />}
            onClick={() => saveText(path, content)}
          >
            {t("assistant.cards.file.download")}
          </Button>
        </>
      }
    >
      <div data-testid="file-content-modal">
        {content.trim() === "" ? (
          <p data-testid="file-content-modal-empty" className="text-sm text-muted">
            {t("assistant.cards.file.empty")}
          </p>
        ) : (
          <FileText path={path} content={content} />
        )}
      </div>
    </Dialog>
  );
}

function FileText({ path, content }: { path: string; content: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (/\.(md|markdown)$/i.test(path)) return <AnswerText source={content} />;
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const language = Object.hasOwn(languages, ending) ? (languages[ending] ?? "") : "";
  const shown = all ? content : content.slice(0, MOST);
  return (
    <>
      {language === "" ? (
        <p className="text-sm break-words whitespace-pre-wrap">{shown}</p>
      ) : (
        <div className="ff-markdown">
          <CodeBlock code={shown} language={language} />
        </div>
      )}
      {shown.length < content.length ? (
        <Button size="sm" className="mt-2" onClick={() => setAll(true)}>
          {t("assistant.cards.showMore")}
        </Button>
      ) : null}
    </>
  );
}
