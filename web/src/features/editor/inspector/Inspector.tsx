import { Code, Copy, ExternalLink, MousePointerClick } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import { nodeCode } from "@/flow/nodeCode";
import { runsOwnCode } from "@/flow/ownCode";
import { isBasic } from "@/flow/fields";
import { toJson } from "@/flow/json";
import type { ComponentNode, Flow, FlowNode } from "@/flow/model";
import { connectionsOf } from "@/flow/outline";
import { safeHref } from "@/flow/preview";
import { redact } from "@/flow/secrets";
import { wiredFields } from "@/flow/wires";
import { openCode } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/copyText";
import { EmptyState } from "@/ui/EmptyState";
import { Markdown } from "@/ui/Markdown";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { FieldDetail } from "./FieldDetail";
import { Ports } from "./Ports";
import { Section } from "./Section";
import { WorkflowSettings } from "./WorkflowSettings";

export interface InspectorProps {
  flow: Flow;
  node: FlowNode | null;
  onNode: (id: string) => void;
  /** Where the flow can be changed. */
  editor?: Editor | null;
  locked?: boolean;
}

/** Everything about one node, in full. Literal secrets are masked everywhere, also in the raw JSON. */
export function Inspector({ flow, node, onNode, editor = null, locked = false }: InspectorProps) {
  const { t } = useTranslation();
  if (!node) {
    return (
      <EmptyState icon={<MousePointerClick />} title={t("flow.inspector.none")}>
        {t("flow.inspector.noneHint")}
      </EmptyState>
    );
  }
  return (
    <div className="pb-6">
      <Head node={node} editor={editor} />
      {node.kind === "note" ? (
        <Section title={t("flow.inspector.text")}>
          <div className="text-sm">
            <Markdown source={node.markdown} />
          </div>
        </Section>
      ) : null}
      {node.kind === "unknown" ? (
        <p className="px-4 py-3 text-sm text-muted">
          {node.reason === "unknown_type"
            ? t("flow.card.unknownType", { type: node.type })
            : t("flow.card.noComponent")}
        </p>
      ) : null}
      {node.kind === "workflow" ? <WorkflowSettings node={node} /> : null}
      {node.kind === "component" ? <Fields flow={flow} node={node} onNode={onNode} editor={editor} /> : null}
      {node.kind === "note" ? null : <Ports flow={flow} node={node} onNode={onNode} editor={locked ? null : editor} />}
      <Raw node={node} />
    </div>
  );
}

function Head({ node, editor }: { node: FlowNode; editor: Editor | null }) {
  const { t } = useTranslation();
  const own = editor !== null && runsOwnCode(node, editor.getState().registry);
  const badges = node.kind === "component" ? node.badges : null;
  const docs = node.kind === "component" ? safeHref(node.documentation) : null;
  return (
    <header className="space-y-2 border-b border-line p-4">
      <div className="flex items-start gap-2.5">
        <NodeIcon name={node.icon} className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h3 className="text-base font-semibold break-words">{node.title || t("flow.card.note")}</h3>
          <p className="font-mono text-xs break-all text-muted">
            {node.type} · {node.id}
          </p>
        </div>
      </div>
      {node.description ? <p className="text-sm text-muted">{node.description}</p> : null}
      {badges ? (
        <div className="flex flex-wrap gap-1.5 empty:hidden">
          {badges.frozen ? <Badge tone="accent">{t("flow.badge.frozen")}</Badge> : null}
          {badges.toolMode ? <Badge>{t("flow.badge.tool")}</Badge> : null}
          {badges.beta ? <Badge>{t("flow.badge.beta")}</Badge> : null}
          {badges.legacy ? <Badge tone="warn">{t("flow.badge.legacy")}</Badge> : null}
          {badges.edited || own ? <Badge>{t("flow.badge.edited")}</Badge> : null}
        </div>
      ) : null}
      {editor && nodeCode(node.raw) !== null ? (
        <Button size="sm" icon={<Code aria-hidden="true" className="size-3.5" />} onClick={() => openCode(node.id)}>
          {t("editor.code.open")}
        </Button>
      ) : null}
      {node.kind === "component" && node.group ? (
        <p className="text-sm">
          {t("flow.card.inside", { count: node.group.names.length })}:{" "}
          <span className="text-muted">{node.group.names.join(", ")}</span>
        </p>
      ) : null}
      {docs ? (
        <a
          className="inline-flex items-center gap-1 text-sm text-accent underline"
          href={docs}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t("flow.inspector.docs")}
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      ) : null}
    </header>
  );
}

function Fields({
  flow,
  node,
  onNode,
  editor,
}: {
  flow: Flow;
  node: ComponentNode;
  onNode: (id: string) => void;
  editor: Editor | null;
}) {
  const { t } = useTranslation();
  const { inputs } = useMemo(() => connectionsOf(flow, node.id), [flow, node.id]);
  const wired = wiredFields(node, flow.wiresOf.get(node.id) ?? []);
  const basic = node.fields.filter((field) => wired.has(field.name) || isBasic(field, node.badges.toolMode));
  const rest = node.fields.filter((field) => field.shown && !basic.includes(field));
  const sources = (name: string) => inputs.filter((input) => input.wire.targetPort === `in:${name}`);
  const rows = (fields: typeof basic): ReactNode => (
    <div className="space-y-4">
      {fields.map((field) => (
        <FieldDetail
          key={field.name}
          node={node}
          editor={editor}
          field={field}
          sources={sources(field.name)}
          toolMode={node.badges.toolMode}
          onNode={onNode}
        />
      ))}
    </div>
  );
  return (
    <>
      {basic.length > 0 ? <Section title={t("flow.inspector.basic")}>{rows(basic)}</Section> : null}
      {rest.length > 0 ? (
        <details className="group border-b border-line">
          <summary className="px-4 py-3 text-xs font-semibold text-muted hover:text-ink">
            {t("flow.inspector.advanced", { count: rest.length })}
          </summary>
          <div className="px-4 pb-4">{rows(rest)}</div>
        </details>
      ) : null}
    </>
  );
}

function Raw({ node }: { node: FlowNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const json = useMemo(() => (open ? (toJson(redact(node.raw), 2) ?? "") : ""), [open, node]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="px-4 py-3 text-xs font-semibold text-muted hover:text-ink">
        {t("flow.inspector.raw")}
      </summary>
      <div className="space-y-2 px-4 pb-4">
        <Button
          size="sm"
          icon={<Copy aria-hidden="true" className="size-3.5" />}
          onClick={() =>
            void copyText(json).then(() => showToast({ message: t("flow.inspector.copied") }), toastError)
          }
        >
          {t("flow.inspector.copy")}
        </Button>
        <pre
          tabIndex={0}
          aria-label={t("flow.inspector.raw")}
          className="scroll-thin max-h-96 overflow-auto rounded-lg border border-line bg-bg p-2.5 font-mono text-xs"
        >
          {json}
        </pre>
      </div>
    </details>
  );
}
