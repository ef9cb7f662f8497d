import { BookOpen, Info, Timer, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { durationText, tokensText } from "@/ui/figures";
import type { Ending, Notice } from "../model/types";
import type { CardActions } from "./actions";
import { Fold } from "./parts";

/** What else is to be known about how a turn ended. */
export function Endings({ ending, content, actions }: { ending: Ending; content: string; actions: CardActions }) {
  const { t, i18n } = useTranslation();
  const { conflicts = [], sources = [], notices = [], changes = [], run_metrics: run } = ending;
  // Where the answer says it itself, it is not said twice.
  const untold = [ending.component_failure_caveat, ending.verification_caveat].filter(
    (caveat): caveat is string => Boolean(caveat) && !content.includes(caveat ?? ""),
  );
  const listed = changes.some((change) => !content.includes(change)) ? changes : [];
  return (
    <>
      {untold.map((caveat) => (
        <Note key={caveat} icon={<TriangleAlert className="text-warn" />}>
          {caveat}
        </Note>
      ))}
      {conflicts.length > 0 ? (
        <div className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-ink">
          <p className="flex items-center gap-1.5 font-medium text-warn">
            <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
            {t("assistant.cards.conflicts")}
          </p>
          <ul className="mt-1 space-y-0.5 pl-5">
            {conflicts.map((conflict, index) => (
              <li key={index} className="break-words">
                <NodeLink node={conflict.component_id} actions={actions} /> {conflict.message}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {notices.map((notice, index) => (
        <ModelNotice key={index} notice={notice} />
      ))}
      {listed.length > 0 ? (
        <Fold title={t("assistant.cards.changes", { count: listed.length })}>
          <ul className="list-disc space-y-0.5 pl-4 text-muted">
            {listed.map((change, index) => (
              <li key={index} className="break-words">
                {change}
              </li>
            ))}
          </ul>
        </Fold>
      ) : null}
      {sources.length > 0 ? (
        <Note icon={<BookOpen className="text-faint" />}>
          {t("assistant.cards.sources")}:{" "}
          {byTitle(sources).map(([title, paths], index) => (
            <span key={title} title={paths.join("\n")}>
              {index > 0 ? ", " : ""}
              {title}
            </span>
          ))}
        </Note>
      ) : null}
      {run ? (
        <Note icon={<Timer className="text-faint" />}>
          {t("assistant.cards.run", {
            time: durationText(run.duration_seconds * 1000, i18n.language),
            tokens: tokensText({ input: run.input_tokens, output: run.output_tokens }, i18n.language),
          })}
        </Note>
      ) : null}
    </>
  );
}

/** A page that was used under several headings is one source. */
function byTitle(sources: NonNullable<Ending["sources"]>): [string, string[]][] {
  const pages = new Map<string, string[]>();
  for (const { title, path } of sources) pages.set(title || path, [...(pages.get(title || path) ?? []), path]);
  return [...pages];
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-xs text-muted">
      <span aria-hidden="true" className="mt-px flex shrink-0 *:size-3.5">
        {icon}
      </span>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

/** The model that was asked for did not answer, another did. */
function ModelNotice({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const { failed_model: failed, used_model: used, reason } = notice;
  return (
    <div role="note" aria-label={t("assistant.cards.notice.label")} data-testid="assistant-model-notice">
      <Note icon={<Info className="text-accent" />}>
        {failed && used && failed !== used ? t("assistant.cards.notice.fallback", { failed, used }) : reason}
        {failed && used && failed !== used && reason ? <span className="block text-2xs">{reason}</span> : null}
      </Note>
    </div>
  );
}

function NodeLink({ node, actions }: { node: string; actions: CardActions }) {
  const { t } = useTranslation();
  const name = actions.nodeName(node);
  if (name === null) return null;
  return (
    <button
      type="button"
      title={t("assistant.cards.tasks.show", { name })}
      className="rounded-sm font-medium hover:underline"
      onClick={() => actions.showNode(node)}
    >
      {name}:
    </button>
  );
}
