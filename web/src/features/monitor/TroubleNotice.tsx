import { CircleAlert, Code } from "lucide-react";
import { useTranslation } from "react-i18next";
import { lineIn } from "@/flow/nodeCode";
import type { Trouble } from "@/flow/runFigures";
import { openCode, useHasCode } from "@/stores/editor/codeOpen";
import { Button } from "@/ui/Button";
import { Markdown } from "@/ui/Markdown";

/** The cause, what to do about it, and the rest behind a fold. */
export function TroubleNotice({ trouble, node = null }: { trouble: Trouble; node?: string | null }) {
  const { t } = useTranslation();
  const line = lineIn(trouble.message);
  const hasCode = useHasCode(node);
  return (
    <div className="flex gap-2 rounded-lg border border-danger/40 bg-danger-soft p-2.5 text-xs">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium break-words">{trouble.message || t("runs.status.failed")}</p>
        {trouble.advice ? (
          <div className="text-muted">
            <Markdown source={trouble.advice} reachable />
          </div>
        ) : null}
        {line !== null && node !== null && hasCode ? (
          <Button size="sm" icon={<Code aria-hidden="true" className="size-3.5" />} onClick={() => openCode(node, line)}>
            {t("editor.code.openAt", { line })}
          </Button>
        ) : null}
        {trouble.detail ? (
          <details className="text-muted">
            <summary className="w-fit rounded-sm">{t("common.details")}</summary>
            <pre
              tabIndex={0}
              className="scroll-thin mt-1 max-h-60 overflow-auto rounded-sm bg-surface p-2 font-mono text-2xs break-words whitespace-pre-wrap text-ink"
            >
              {trouble.detail}
            </pre>
          </details>
        ) : null}
      </div>
    </div>
  );
}
