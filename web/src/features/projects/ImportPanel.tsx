import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { cancelImport, clearImports, type FlowNotes, type ImportItem, type ImportProblem, useImports } from "@/stores/imports";
import { Button, IconButton } from "@/ui/Button";
import { explainError } from "@/ui/explainError";
import { ProgressBar } from "@/ui/ProgressBar";

const plain = {
  kind: "projects.importProblem.kind",
  json: "projects.importProblem.json",
  empty: "projects.importProblem.empty",
  large: "projects.importProblem.large",
  cancelled: "projects.importProblem.cancelled",
  notFlow: "templates.import.notFlow",
  notJson: "templates.import.notJson",
} as const;

function Problem({ problem }: { problem: ImportProblem }) {
  const { t } = useTranslation();
  if (typeof problem === "string") return <p className="text-xs text-danger">{t(plain[problem])}</p>;
  const { sentence, advice } = explainError(problem.error, t);
  const found = asApiError(problem.error).field("file");
  if (found) {
    return (
      <p className="text-xs text-danger">
        {found} {t("projects.importProblem.advice")}
      </p>
    );
  }
  return (
    <p className="text-xs text-danger">
      {sentence} {advice}
    </p>
  );
}

const MOST_NAMES = 6;

/** What came in with problems. It is stored as it was; this says what to expect of it. */
function Notes({ notes, named }: { notes: readonly FlowNotes[]; named: boolean }) {
  const { t } = useTranslation();
  return notes.map(({ id, name, unknown, lost }) => (
    <div key={id} className="mt-1 text-xs text-warn">
      {named ? (
        <Link to="/flow/$flowId" params={{ flowId: id }} className="rounded-sm font-medium underline-offset-2 hover:underline">
          {name}
        </Link>
      ) : null}
      {unknown.length > 0 ? (
        <p>
          {t("templates.import.unknown", {
            count: unknown.length,
            names: unknown
              .slice(0, MOST_NAMES)
              .map((component) => component.name)
              .join(", "),
          })}
        </p>
      ) : null}
      {lost > 0 ? <p>{t("templates.import.lost", { count: lost })}</p> : null}
    </div>
  ));
}

function ImportRow({ item }: { item: ImportItem }) {
  const { t } = useTranslation();
  const [only] = item.flows;
  return (
    <li className="flex gap-2 border-t border-line px-3 py-2 text-sm">
      <span className="mt-0.5 flex size-4 shrink-0">
        {item.status === "done" ? <CircleCheck aria-hidden="true" className="size-4 text-ok" /> : null}
        {item.status === "failed" ? <CircleAlert aria-hidden="true" className="size-4 text-danger" /> : null}
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={item.fileName}>
          {item.pasted ? t("templates.import.pasted") : item.fileName}
        </p>
        {item.status === "waiting" ? <p className="text-xs text-muted">{t("projects.importWaiting")}</p> : null}
        {item.status === "sending" ? (
          <ProgressBar value={item.progress} label={t("projects.importing", { name: item.fileName })} />
        ) : null}
        {item.status === "done" ? (
          <p className="text-xs text-muted">
            {item.flows.length === 1 && only ? (
              <Link
                to="/flow/$flowId"
                params={{ flowId: only.id }}
                className="rounded-sm text-accent underline-offset-2 hover:underline"
              >
                {t("projects.openFlow", { name: only.name })}
              </Link>
            ) : (
              t("projects.imported", { count: item.flows.length })
            )}
          </p>
        ) : null}
        <Notes notes={item.notes} named={item.flows.length > 1} />
        {item.problem ? <Problem problem={item.problem} /> : null}
      </div>
      {item.status === "sending" ? (
        <Button size="sm" onClick={() => cancelImport(item.id)}>
          {t("projects.stop")}
        </Button>
      ) : null}
    </li>
  );
}

/** Mounted once with the app: an import goes on while the person moves between pages. */
export function ImportPanel() {
  const { t } = useTranslation();
  const items = useImports((state) => state.items);
  if (items.length === 0) return null;
  const busy = items.some((item) => item.status === "waiting" || item.status === "sending");
  return (
    <section
      aria-label={t("projects.imports")}
      className="fixed bottom-4 left-4 z-40 md:left-64 flex max-h-80 w-[min(360px,calc(100vw-32px))] flex-col rounded-lg border border-line bg-raised shadow-3"
    >
      <div className="flex h-10 shrink-0 items-center gap-2 pr-1.5 pl-3">
        <h2 className="flex-1 font-medium">
          <span role="status">{busy ? t("projects.importsBusy") : t("projects.importsDone")}</span>
        </h2>
        {busy ? null : (
          <IconButton
            label={t("common.close")}
            icon={<X className="size-4" />}
            size="sm"
            tooltip={false}
            onClick={clearImports}
          />
        )}
      </div>
      <ul className="scroll-thin min-h-0 overflow-y-auto">
        {items.map((item) => (
          <ImportRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}
