import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, FileText, KeyRound, Sparkles, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/models";
import { variablesQuery } from "@/api/variables";
import { missing, nothingMissing } from "@/flow/needs";
import { openModelProvider, type Setup, showSetup } from "@/stores/intents";
import { Button, buttonClass, IconButton } from "@/ui/Button";

/** What a flow made of a template still waits for. Stays while the person goes and gets it. */
export default function SetupPanel({ name, needs }: Setup) {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery).data;
  const variables = useQuery(variablesQuery).data;
  if (!providers || !variables) return null;
  const lacking = missing(needs, providers, variables);
  const ready = nothingMissing(lacking);
  // A rehearsal runs already; a model is only needed for real answers.
  const rehearses = nothingMissing({ ...lacking, rehearsal: false });
  const [title, text] = ready
    ? [t("templates.ready"), t("templates.readyText", { name })]
    : rehearses
      ? [t("templates.rehearses"), t("templates.rehearsesText", { name })]
      : [t("templates.setup"), t("templates.setupText", { name })];
  return (
    <section
      aria-label={t("templates.setupOf", { name })}
      className="fixed top-[calc(var(--topbar-h)+12px)] right-3 z-30 flex max-h-[70vh] w-[min(340px,calc(100vw-24px))] flex-col rounded-lg border border-line bg-raised shadow-3"
    >
      <div className="flex items-start gap-2 py-2 pr-1.5 pl-3">
        <div className="min-w-0 flex-1 pt-1">
          <h2 className="text-sm font-semibold">{title}</h2>
          <p role="status" className="text-xs text-muted">
            {text}
          </p>
        </div>
        <IconButton
          label={t("common.close")}
          icon={<X className="size-4" />}
          size="sm"
          tooltip={false}
          onClick={() => showSetup(null)}
        />
      </div>
      {ready ? (
        <p className="flex items-center gap-2 border-t border-line px-3 py-2 text-xs text-ok">
          <CircleCheck aria-hidden="true" className="size-4" />
          {t("templates.allThere")}
        </p>
      ) : (
        <ul className="scroll-thin min-h-0 overflow-y-auto">
          {lacking.providers.map((provider) => (
            <Step
              key={provider}
              icon={<KeyRound />}
              text={t("templates.stepProvider", { name: provider })}
              action={
                <Button size="sm" onClick={() => openModelProvider(provider)}>
                  {t("templates.setUp")}
                </Button>
              }
            />
          ))}
          {lacking.rehearsal ? (
            <Step
              icon={<Sparkles />}
              text={t("templates.stepRehearsal")}
              action={
                <Link to="/settings/models" className={buttonClass("secondary", "sm")}>
                  {t("templates.toProviders")}
                </Link>
              }
            />
          ) : null}
          {lacking.variables.map((variable) => (
            <Step
              key={variable}
              icon={<KeyRound />}
              text={t("templates.stepVariable", { name: variable })}
              action={
                <Link to="/settings/variables" className={buttonClass("secondary", "sm")}>
                  {t("templates.toVariables")}
                </Link>
              }
            />
          ))}
          {lacking.secrets.map(({ node, field }) => (
            <Step
              key={`${node} ${field}`}
              icon={<KeyRound />}
              text={t("templates.stepSecret", { node, field })}
            />
          ))}
          {lacking.files.map((node) => (
            <Step key={node} icon={<FileText />} text={t("templates.stepFile", { node })} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Step({ icon, text, action }: { icon: ReactNode; text: string; action?: ReactNode }) {
  return (
    <li className="flex items-center gap-2 border-t border-line px-3 py-2 text-xs">
      <span aria-hidden="true" className="text-muted *:size-4">
        {icon}
      </span>
      <span className="min-w-0 flex-1">{text}</span>
      {action}
    </li>
  );
}
