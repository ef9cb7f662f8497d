import { useQuery } from "@tanstack/react-query";
import { LayoutTemplate, Plus, Search, Sparkles, Workflow } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { componentsQuery } from "@/api/components";
import { startersQuery } from "@/api/starters";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import { paletteItems } from "@/flow/palette";
import { suggestComponents } from "@/flow/paletteSearch";
import { readTemplates, suggestTemplates, type Template } from "@/flow/templates";
import { openTemplates } from "@/stores/intents";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Textarea } from "@/ui/Field";
import { Spinner } from "@/ui/Spinner";

export interface EmptyFlowProps {
  /** Something is stored, but nothing of it could be drawn. */
  problems: boolean;
  /** Hands a description to the assistant. */
  onDescribe?: (description: string) => void;
  /** Puts a template into this flow. */
  onTemplate?: (template: Template) => void;
  /** Adds a component by its type, or asks which when it is null. */
  onFirstNode?: (type: string | null) => void;
}

/** The ways into an empty flow. Without the callbacks, where it cannot be changed, it only says that it is empty. */
export function EmptyFlow({ problems, onDescribe, onTemplate, onFirstNode }: EmptyFlowProps) {
  const { t } = useTranslation();
  if (problems || !onDescribe || !onTemplate || !onFirstNode)
    return (
      <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
        <EmptyState
          icon={<Workflow />}
          title={problems ? t("flow.empty.brokenTitle") : t("flow.empty.title")}
        >
          {problems ? t("flow.empty.broken") : t("flow.empty.locked")}
        </EmptyState>
      </div>
    );
  return (
    <div className="pointer-events-none absolute inset-0 z-5 flex items-center justify-center overflow-y-auto p-4">
      <section
        aria-labelledby="empty-flow"
        className="pointer-events-auto w-full max-w-lg rounded-xl border border-line bg-surface p-5 shadow-2"
      >
        <h2 id="empty-flow" className="text-lg font-semibold">
          {t("templates.begin")}
        </h2>
        <Describe onDescribe={onDescribe} onTemplate={onTemplate} onFirstNode={onFirstNode} />
        <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
          <Button
            icon={<LayoutTemplate aria-hidden="true" className="size-4" />}
            onClick={() => openTemplates({ onUse: onTemplate })}
          >
            {t("templates.fromTemplate")}
          </Button>
          <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => onFirstNode(null)}>
            {t("templates.firstNode")}
          </Button>
        </div>
      </section>
    </div>
  );
}

type Ways = Required<Omit<EmptyFlowProps, "problems">>;

function Describe({ onDescribe, onTemplate, onFirstNode }: Ways) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const description = text.trim();
    if (description === "") return;
    onDescribe(description);
  };
  return (
    <>
      <form className="mt-3" onSubmit={submit}>
        <label htmlFor={id} className="text-sm font-medium">
          {t("templates.describe")}
        </label>
        <Textarea
          id={id}
          rows={3}
          className="mt-1"
          placeholder={t("templates.describeHint")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
          <Button
            variant="ghost"
            icon={<Search aria-hidden="true" className="size-4" />}
            onClick={() => setAsked(text.trim())}
          >
            {t("templates.find")}
          </Button>
          <Button type="submit" variant="primary" icon={<Sparkles aria-hidden="true" className="size-4" />}>
            {t("templates.build")}
          </Button>
        </div>
      </form>
      {asked === "" ? null : <Proposals description={asked} onTemplate={onTemplate} onFirstNode={onFirstNode} />}
    </>
  );
}

function Proposals({ description, onTemplate, onFirstNode }: Omit<Ways, "onDescribe"> & { description: string }) {
  const { t } = useTranslation();
  const templates = useQuery({ ...startersQuery, select: readTemplates });
  const components = useQuery(componentsQuery);
  if (templates.error) return <ErrorNotice error={templates.error} onRetry={() => void templates.refetch()} />;
  if (!templates.data || components.isPending) return <Spinner className="mt-3" />;
  const fitting = suggestTemplates(templates.data, description);
  const items = components.data ? paletteItems(components.data.registry).filter((item) => !item.legacy) : [];
  const parts = suggestComponents(items, description, 4);
  return (
    <div role="status" className="mt-3 space-y-2 text-sm">
      {fitting.length === 0 && parts.length === 0 ? (
        <p className="text-muted">{t("templates.noProposal")}</p>
      ) : null}
      {fitting.length > 0 ? <p className="font-medium">{t("templates.closest")}</p> : null}
      {fitting.map(({ template, words }) => (
        <div key={template.id} className="flex items-center gap-2 rounded-md border border-line px-2.5 py-1.5">
          <NodeIcon name={template.icon} className="size-4 shrink-0 text-muted" />
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{template.name}</p>
            <p className="truncate text-xs text-muted">
              {t("templates.because", { words: words.join(", ") })}
            </p>
          </div>
          <Button
            size="sm"
            aria-label={t("templates.lookAt", { name: template.name })}
            onClick={() => openTemplates({ template: template.id, onUse: onTemplate })}
          >
            {t("templates.look")}
          </Button>
        </div>
      ))}
      {parts.length > 0 ? (
        <>
          <p className="font-medium">{t("templates.closestNodes")}</p>
          <div className="flex flex-wrap gap-1.5">
            {parts.map((item) => (
              <Button
                key={item.type}
                size="sm"
                icon={<NodeIcon name={item.icon} className="size-3.5" />}
                aria-label={t("templates.addNode", { name: item.name })}
                onClick={() => onFirstNode(item.type)}
              >
                {item.name}
              </Button>
            ))}
          </div>
        </>
      ) : null}
    </div>
  );
}
