import { CircleAlert, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CodeProblem } from "@/flow/codeProblems";
import { quoted } from "@/flow/words";
import { cx } from "@/ui/cx";

/** What is wrong with the code; a press leads to the line. */
export function ProblemRows({
  problems,
  onPlace,
}: {
  problems: readonly CodeProblem[];
  onPlace: (line: number, column: number | null) => void;
}) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <ul aria-label={t("code.problems")} className="scroll-thin min-h-0 flex-1 overflow-y-auto text-xs">
      {problems.map((problem, index) => (
        <li key={index}>
          <Row problem={problem} onPlace={onPlace} />
        </li>
      ))}
    </ul>
  );
}

function Row({
  problem,
  onPlace,
}: {
  problem: CodeProblem;
  onPlace: (line: number, column: number | null) => void;
}) {
  const { t } = useTranslation();
  const { severity, message, line, column } = problem;
  const error = severity === "error";
  const Sign = error ? CircleAlert : TriangleAlert;
  const inside = (
    <>
      <Sign
        role="img"
        aria-label={error ? t("editor.problems.error") : t("editor.problems.warning")}
        className={cx("mt-px size-3.5 shrink-0", error ? "text-danger" : "text-warn")}
      />
      {line === null ? null : (
        <span className="shrink-0 text-muted tabular-nums">{t("editor.code.line", { line })}</span>
      )}
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{quoted(message)}</span>
    </>
  );
  if (line === null) return <p className="flex gap-2 px-2 py-1.5">{inside}</p>;
  return (
    <button
      type="button"
      className="flex w-full gap-2 px-2 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      onClick={() => onPlace(line, column)}
    >
      {inside}
    </button>
  );
}
