import { CircleHelp, Code, FlaskConical, Group, History, Snowflake, Wrench } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CARD } from "@/flow/card";
import { runsOwnCode } from "@/flow/ownCode";
import { findComponent } from "@/flow/edit/registry";
import type { Badges, FlowNode } from "@/flow/model";
import { edit, settleStep } from "@/stores/editor/actions";
import { type Editor, useEditorOrNull } from "@/stores/editor/state";
import { useCanvas, useCanvasStore } from "../canvasStore";
import { focusNow } from "../focusNow";
import { NodeIcon } from "../icons/NodeIcon";

export function CardHeader({ node, badges, group }: { node: FlowNode; badges?: Badges; group?: boolean }) {
  const editor = useEditorOrNull();
  return (
    <div>
      <div className="flex items-center gap-2 pr-3 pl-4" style={{ height: CARD.header }}>
        <NodeIcon name={node.icon} className="size-4 shrink-0 text-muted" />
        <CardTitle node={node} />
        {editor && node.kind === "component" && !group ? <Origin editor={editor} node={node} /> : null}
        <HeaderBadges badges={badges} group={group ?? false} />
      </div>
      {node.description === "" ? null : (
        <p
          className="-mt-2 truncate pr-3 pl-4 text-muted"
          style={{ height: CARD.description + 8 }}
          title={node.description}
        >
          {node.description}
        </p>
      )}
    </div>
  );
}

/** The name of a node, which F2 opens for writing. */
export function CardTitle({ node }: { node: FlowNode }) {
  const editor = useEditorOrNull();
  const writing = useCanvas((state) => state.writing === node.id);
  if (editor && writing) return <TitleInput editor={editor} node={node} />;
  return <span className="min-w-0 flex-1 truncate text-sm font-semibold">{node.title}</span>;
}

function TitleInput({ editor, node }: { editor: Editor; node: FlowNode }) {
  const { t } = useTranslation();
  const store = useCanvasStore();
  const cancelled = useRef(false);
  const close = (element: HTMLElement): void => {
    store.setState({ writing: null });
    element.closest<HTMLElement>("[data-node-id]")?.focus({ preventScroll: true });
  };
  return (
    <input
      aria-label={t("editor.card.name")}
      defaultValue={node.title}
      maxLength={120}
      ref={focusNow}
      onFocus={(event) => event.currentTarget.select()}
      className="nodrag nopan h-7 min-w-0 flex-1 rounded-md border border-accent bg-bg px-1.5 text-sm font-semibold outline-none"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") cancelled.current = true;
        if (event.key !== "Escape" && event.key !== "Enter") return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
      onBlur={(event) => {
        const name = event.currentTarget.value.trim();
        if (!cancelled.current && name !== "" && name !== node.title) {
          edit(editor, { op: "rename", node: node.id, name });
          settleStep(editor);
        }
        close(event.currentTarget);
      }}
    />
  );
}

/** Says that a node runs code of its own, or that the server has no such component and it does not run at all. */
function Origin({ editor, node }: { editor: Editor; node: FlowNode }) {
  const { t } = useTranslation();
  const own = useStore(editor, ({ registry }) => runsOwnCode(node, registry));
  const foreign = useStore(
    editor,
    ({ registry }) => registry.byType.size > 0 && findComponent(registry, node.type) === null,
  );
  if (own) return <Sign icon={<Code />} label={t("editor.code.badge")} />;
  if (!foreign) return null;
  return <Sign icon={<CircleHelp />} label={t("editor.card.foreign")} tone="text-warn" />;
}

function HeaderBadges({ badges, group }: { badges: Badges | undefined; group: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="flex shrink-0 items-center gap-1">
      {group ? <Sign icon={<Group />} label={t("flow.badge.group")} /> : null}
      {badges?.frozen ? (
        <Sign icon={<Snowflake />} label={t("flow.badge.frozen")} tone="text-accent" />
      ) : null}
      {badges?.toolMode ? <Sign icon={<Wrench />} label={t("flow.badge.tool")} /> : null}
      {badges?.beta ? <Sign icon={<FlaskConical />} label={t("flow.badge.beta")} text /> : null}
      {badges?.legacy ? (
        <Sign icon={<History />} label={t("flow.badge.legacy")} tone="text-warn" text />
      ) : null}
    </span>
  );
}

function Sign({
  icon,
  label,
  tone,
  text,
}: {
  icon: ReactNode;
  label: string;
  tone?: string;
  text?: boolean;
}) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`flex h-5 items-center gap-1 rounded-full bg-sunken px-1.5 text-2xs font-medium *:[svg]:size-3 ${tone ?? "text-muted"}`}
    >
      {icon}
      {text ? label : null}
    </span>
  );
}
