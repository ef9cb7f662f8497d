import type { TFunction } from "i18next";
import { ArrowRight, Check, type LucideIcon, Minus, Pencil, Plus, Settings2, Unplug, Wrench } from "lucide-react";
import { createElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Spinner } from "@/ui/Spinner";
import type { BuildTask, ToolUse } from "../model/types";
import type { CardActions } from "./actions";

const icons: Record<BuildTask["action"], LucideIcon> = {
  add: Plus,
  remove: Minus,
  connect: ArrowRight,
  disconnect: Unplug,
  configure: Settings2,
  rename: Pencil,
  tool_mode: Wrench,
};

/** With more than these the list is folded. */
const MOST = 8;
const SHOWN = 6;

/** What was done to the canvas, a row for each thing, and what is being done. */
export function BuildTasks({
  tasks,
  working,
  streaming,
  actions,
}: {
  tasks: readonly BuildTask[];
  working: ToolUse | null;
  streaming: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (tasks.length === 0 && !working) return null;
  const folded = !all && tasks.length > MOST;
  // The newest matter while there are more to come.
  const rows = folded ? (streaming ? tasks.slice(-SHOWN) : tasks.slice(0, SHOWN)) : tasks;
  const more = folded ? (
    <li>
      <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
        {t("assistant.cards.tasks.all", { count: tasks.length - SHOWN })}
      </Button>
    </li>
  ) : null;
  return (
    <ul aria-label={t("assistant.cards.tasks.title")} className="rounded-lg border border-line bg-surface py-1 text-xs">
      {streaming ? more : null}
      {rows.map((task) => (
        <Row key={task.key} task={task} actions={actions} />
      ))}
      {streaming ? null : more}
      {working ? <Working working={working} streaming={streaming} actions={actions} /> : null}
    </ul>
  );
}

const rowClass = "flex min-h-7 items-center gap-2 px-3 py-0.5";

function Row({ task, actions }: { task: BuildTask; actions: CardActions }) {
  const { t } = useTranslation();
  const nameOf = (id: string | null): string => (id === null ? "" : (actions.nodeName(id) ?? id));
  const name = task.componentId
    ? (actions.nodeName(task.componentId) ?? task.componentType ?? task.componentId)
    : (task.componentType ?? "");
  const from = nameOf(task.sourceId);
  const to = nameOf(task.targetId);
  const words = {
    add: t("assistant.cards.tasks.add", { name }),
    remove: t("assistant.cards.tasks.remove", { name }),
    connect: t("assistant.cards.tasks.connect", { from, to }),
    disconnect: t("assistant.cards.tasks.disconnect", { from, to }),
    configure: t("assistant.cards.tasks.configure", { name }),
    rename: t("assistant.cards.tasks.rename", { name: task.detail ?? name }),
    tool_mode: t("assistant.cards.tasks.tool_mode", { name }),
  };
  const place = task.action === "remove" ? null : (task.componentId ?? task.targetId);
  const ends = task.componentId ?? [task.sourceId, task.targetId].filter(Boolean).join("-");
  const text = (
    <>
      {words[task.action]}
      {task.action === "configure" && task.detail ? (
        <span className="ml-1.5 text-muted">{fieldNames(task, actions)}</span>
      ) : null}
    </>
  );
  return (
    <li data-testid={`assistant-build-task-${task.action}-${ends}`} className={rowClass}>
      <span aria-hidden="true" className="flex shrink-0 text-faint *:size-3.5">
        {createElement(icons[task.action])}
      </span>
      {place !== null && actions.nodeName(place) !== null ? (
        <button
          type="button"
          title={t("assistant.cards.tasks.show", { name: nameOf(place) })}
          className="min-w-0 flex-1 rounded-sm text-left break-words hover:underline"
          onClick={() => actions.showNode(place)}
        >
          {text}
        </button>
      ) : (
        <span className="min-w-0 flex-1 break-words">{text}</span>
      )}
      <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
    </li>
  );
}

function fieldNames({ componentId, detail }: BuildTask, actions: CardActions): string {
  const names = (detail ?? "").split(", ");
  return names.map((name) => (componentId && actions.fieldName(componentId, name)) ?? name).join(", ");
}

function Working({
  working,
  streaming,
  actions,
}: {
  working: ToolUse;
  streaming: boolean;
  actions: CardActions;
}) {
  const { t } = useTranslation();
  const what = toolText(working, actions, t);
  return (
    <li data-testid="assistant-build-task-in-progress" className={`${rowClass} text-muted`}>
      {streaming ? (
        <Spinner className="size-3.5 shrink-0 text-accent" />
      ) : (
        <Minus aria-hidden="true" className="size-3.5 shrink-0" />
      )}
      <span className="min-w-0 flex-1 break-words">
        {streaming ? what : t("assistant.cards.tasks.stoppedAt", { what })}
      </span>
    </li>
  );
}

/** In the language of the page as far as the tool is known, else in the server's words. */
function toolText(working: ToolUse, actions: CardActions, t: TFunction): string {
  const [first, second] = working.nodes.map((id) => actions.nodeName(id) ?? id);
  const name = first ?? working.componentType;
  const said = working.label || working.tool;
  switch (working.tool) {
    case "add_component":
      return working.componentType ? t("assistant.cards.tool.add", { name: working.componentType }) : said;
    case "remove_component":
      return name ? t("assistant.cards.tool.remove", { name }) : said;
    case "connect_components":
      return first && second ? t("assistant.cards.tool.connect", { from: first, to: second }) : said;
    case "disconnect_components":
      return first && second ? t("assistant.cards.tool.disconnect", { from: first, to: second }) : said;
    case "configure_component":
      return name ? t("assistant.cards.tool.configure", { name }) : said;
    case "rename_component":
      return name ? t("assistant.cards.tool.rename", { name }) : said;
    case "propose_field_edit":
      return name ? t("assistant.cards.tool.edit", { name }) : said;
    case "build_flow":
      return t("assistant.cards.tool.build");
    case "run_flow":
      return t("assistant.cards.tool.run");
    case "generate_component":
      return t("assistant.cards.tool.write");
    default:
      return said;
  }
}
