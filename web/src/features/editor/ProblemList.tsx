import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FlowProblem } from "@/api/flows";
import { quoted } from "@/flow/words";
import { ProblemsPanel } from "./ProblemsPanel";
import type { Problems } from "./useProblems";

/** Everything that stands in the way of a run, worst first; a press leads to the node. */
export function ProblemList({ problems, onNode }: { problems: Problems; onNode: (id: string) => void }) {
  const { t } = useTranslation();
  if (problems.count === 0)
    return (
      <p className="flex items-center gap-2 p-4 text-sm text-muted">
        <CircleCheck aria-hidden="true" className="size-4 text-ok" />
        {t("editor.problems.none")}
      </p>
    );
  const sorted = problems.running.toSorted((a, b) => rank(a) - rank(b));
  return (
    <div>
      <ul className="divide-y divide-line text-sm">
        {sorted.map((problem, index) => (
          <li key={index}>
            <Line problem={problem} onNode={onNode} />
          </li>
        ))}
      </ul>
      {problems.drawing.length > 0 ? <ProblemsPanel problems={problems.drawing} onNode={onNode} /> : null}
    </div>
  );
}

function rank(problem: FlowProblem): number {
  return problem.severity === "error" ? 0 : 1;
}

function Line({ problem, onNode }: { problem: FlowProblem; onNode: (id: string) => void }) {
  const { t } = useTranslation();
  const error = problem.severity === "error";
  const message = quoted(problem.message);
  // Most sentences begin with the node's name already.
  const repeated = message.startsWith(`${problem.node_name ?? ""} `);
  const Sign = error ? CircleAlert : TriangleAlert;
  const inside = (
    <>
      <Sign
        role="img"
        aria-label={error ? t("editor.problems.error") : t("editor.problems.warning")}
        className={`mt-0.5 size-4 shrink-0 ${error ? "text-danger" : "text-warn"}`}
      />
      <span className="min-w-0 flex-1">
        {problem.node_name ? (
          <span className="font-medium">{repeated ? problem.node_name : `${problem.node_name}: `}</span>
        ) : null}
        <span className="break-words">{repeated ? message.slice(problem.node_name?.length) : message}</span>
        {problem.advice ? <span className="block text-xs break-words text-muted">{problem.advice}</span> : null}
      </span>
    </>
  );
  const { node } = problem;
  if (!node) return <div className="flex gap-2 px-4 py-2">{inside}</div>;
  return (
    <button
      type="button"
      className="flex w-full gap-2 px-4 py-2 text-left hover:bg-hover"
      onClick={() => onNode(node)}
    >
      {inside}
    </button>
  );
}
