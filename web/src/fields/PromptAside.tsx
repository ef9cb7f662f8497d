import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { type PromptProblem, promptProblem, promptVariables } from "@/flow/values/prompts";
import { useDebounced } from "@/ui/useDebounced";
import { HUGE_TEXT } from "./box";

/** The variables of a prompt, and what is wrong with it. */
export function PromptAside({ text, mustache }: { text: string; mustache: boolean }) {
  const { t } = useTranslation();
  const looked = useDebounced(text, 300).slice(0, HUGE_TEXT);
  const names = promptVariables(looked, mustache);
  const problem = promptProblem(looked, mustache);
  return (
    <div className="space-y-3 text-sm">
      <section>
        <h3 className="text-xs font-semibold text-muted">{t("fields.prompt.variables")}</h3>
        {names.length === 0 ? (
          <p className="mt-1 text-xs text-muted">{t("fields.prompt.none")}</p>
        ) : (
          <ul className="mt-1 flex flex-wrap gap-1">
            {names.map((name) => (
              <li key={name} className="max-w-full truncate rounded-sm bg-accent-soft px-1.5 font-mono text-xs text-accent">
                {name}
              </li>
            ))}
          </ul>
        )}
      </section>
      <p role="status" className="min-h-4 text-xs text-danger">
        {problem ? explain(problem, t) : null}
      </p>
    </div>
  );
}

function explain(problem: PromptProblem, t: TFunction): string {
  switch (problem.kind) {
    case "no_end":
      return t("fields.prompt.noEnd");
    case "no_start":
      return t("fields.prompt.noStart");
    case "no_name":
      return t("fields.prompt.noName");
    case "bad_name":
      return t("fields.prompt.badName", { name: problem.name });
    case "taken":
      return t("fields.prompt.taken", { name: problem.name });
  }
}
