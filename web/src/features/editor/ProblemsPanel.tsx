import type { TFunction } from "i18next";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Problem, ProblemCode } from "@/flow/model";
import { Button } from "@/ui/Button";

const reasons = {
  document_missing: "flow.problem.documentMissing",
  nodes_not_list: "flow.problem.nodesNotList",
  edges_not_list: "flow.problem.edgesNotList",
  node_not_object: "flow.problem.nodeNotObject",
  node_no_id: "flow.problem.nodeNoId",
  node_duplicate: "flow.problem.nodeDuplicate",
  node_no_position: "flow.problem.nodeNoPosition",
  node_unknown_type: "flow.problem.nodeUnknownType",
  node_no_component: "flow.problem.nodeNoComponent",
  edge_not_object: "flow.problem.edgeNotObject",
  edge_no_ends: "flow.problem.edgeNoEnds",
  edge_missing_node: "flow.problem.edgeMissingNode",
  edge_missing_port: "flow.problem.edgeMissingPort",
} as const satisfies Record<ProblemCode, string>;

function reasonText(t: TFunction, { code, params }: Problem): string {
  // Every reason takes some of these words; the type checker only sees one of them at a time.
  const words = { index: "", id: "", type: "", node: "", port: "", ...params };
  return t(reasons[code] as "flow.problem.edgeMissingPort", words);
}

/** What in the document could not be drawn, or only with a guess, and why. */
export function ProblemsPanel({
  problems,
  onNode,
}: {
  problems: readonly Problem[];
  onNode: (id: string) => void;
}) {
  const { t } = useTranslation();
  const lost = problems.filter((problem) => problem.lost);
  const guessed = problems.filter((problem) => !problem.lost);
  return (
    <div className="space-y-5 p-4 text-sm">
      <p className="text-muted">{t("flow.problem.intro")}</p>
      <Group title={t("flow.problem.notDrawn")} problems={lost} onNode={onNode} />
      <Group title={t("flow.problem.withGuess")} problems={guessed} onNode={onNode} />
      {problems.length === 0 ? <p>{t("flow.problem.none")}</p> : null}
    </div>
  );
}

function Group({
  title,
  problems,
  onNode,
}: {
  title: string;
  problems: readonly Problem[];
  onNode: (id: string) => void;
}) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1.5 font-semibold">{`${title} (${problems.length})`}</h3>
      <ul className="space-y-1.5">
        {problems.map((problem, index) => (
          <li key={index} className="flex items-start gap-2 rounded-lg border border-line p-2.5">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
            <span className="min-w-0 flex-1 break-words">{reasonText(t, problem)}</span>
            {problem.node !== null ? (
              <Button size="sm" onClick={() => onNode(problem.node ?? "")}>
                {t("flow.problem.show")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
