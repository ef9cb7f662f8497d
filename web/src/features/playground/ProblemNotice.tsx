import { Link } from "@tanstack/react-router";
import { CircleAlert, Code } from "lucide-react";
import { useTranslation } from "react-i18next";
import { lineIn } from "@/flow/nodeCode";
import type { RunProblem } from "@/flow/messages";
import { openCode, useHasCode } from "@/stores/editor/codeOpen";
import { Button, buttonClass } from "@/ui/Button";
import { Markdown } from "@/ui/Markdown";

/** What went wrong in the flow, where it went wrong and what to do. */
export function ProblemNotice({ problem }: { problem: RunProblem }) {
  const { t } = useTranslation();
  const { node } = problem;
  const line = lineIn(problem.reason);
  const hasCode = useHasCode(node);
  return (
    <div className="flex gap-2.5 rounded-lg border border-danger/40 bg-danger-soft p-3 text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 space-y-1">
        {problem.component ? <p className="text-xs text-muted">{problem.component}</p> : null}
        <p className="font-medium break-words">{sentence(problem.reason) || t("playground.failed")}</p>
        <div className="text-muted">
          {problem.solution ? <Markdown source={problem.solution} reachable /> : t("playground.failedAdvice")}
        </div>
        {line !== null && node !== null && hasCode ? (
          <Button size="sm" icon={<Code aria-hidden="true" className="size-3.5" />} onClick={() => openCode(node, line)}>
            {t("editor.code.openAt", { line })}
          </Button>
        ) : null}
        {problem.field === "model" ? (
          <Link to="/settings/models" className={buttonClass("secondary", "sm")}>
            {t("playground.toModels")}
          </Link>
        ) : null}
      </div>
    </div>
  );
}

/** The server says what happened in the middle of a sentence of its own; here it stands alone. */
function sentence(reason: string): string {
  const text = reason.trim();
  if (text === "") return "";
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:”"')\]}]$/.test(begun) ? begun : `${begun}.`;
}
