import { Unplug } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { exitLabel } from "@/canvas/workflowLabels";
import type { Flow, FlowNode, Port } from "@/flow/model";
import { type Connection, connectionsOf } from "@/flow/outline";
import { portLook } from "@/flow/portTypes";
import { edit } from "@/stores/editor/actions";
import type { Editor } from "@/stores/editor/state";
import { IconButton } from "@/ui/Button";
import { ConnectMenu } from "./ConnectMenu";
import { Section } from "./Section";

/** What can be connected, and what is: each connection leads to the neighbour. */
export function Ports({
  flow,
  node,
  onNode,
  editor,
}: {
  flow: Flow;
  node: FlowNode;
  onNode: (id: string) => void;
  editor: Editor | null;
}) {
  const { t } = useTranslation();
  const { inputs, outputs } = useMemo(() => connectionsOf(flow, node.id), [flow, node.id]);
  const into = node.ports.filter((port) => port.side === "in");
  const out = node.ports.filter((port) => port.side === "out");
  return (
    <>
      {into.length > 0 ? (
        <Section title={t("flow.inspector.inputs")}>
          <PortList ports={into} connections={inputs} end="targetPort" node={node.id} editor={editor} onNode={onNode} />
        </Section>
      ) : null}
      {out.length > 0 ? (
        <Section title={t("flow.inspector.outputs")}>
          <PortList ports={out} connections={outputs} end="sourcePort" node={node.id} editor={editor} onNode={onNode} />
        </Section>
      ) : null}
    </>
  );
}

function PortList({
  ports,
  connections,
  end,
  node,
  editor,
  onNode,
}: {
  ports: readonly Port[];
  connections: readonly Connection[];
  end: "targetPort" | "sourcePort";
  node: string;
  editor: Editor | null;
  onNode: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-2 text-sm">
      {ports.map((port) => {
        const joined = connections.filter((connection) => connection.wire[end] === port.id);
        return (
          <li key={port.id}>
            <div className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className="size-2.5 shrink-0 rounded-full"
                style={{
                  background: `var(--type-${port.role === "control" ? "control" : portLook(port.type ?? port.types[0]).key})`,
                }}
              />
              <span className="min-w-0 flex-1 truncate">{exitLabel(t, port) || t("flow.port.control")}</span>
              <span className="max-w-[50%] truncate text-xs text-faint">
                {port.role === "lost" ? t("flow.port.missing") : port.types.join(", ")}
              </span>
              {editor && port.role !== "lost" ? <ConnectMenu editor={editor} node={node} port={port} /> : null}
            </div>
            {joined.length > 0 ? (
              <ul className="mt-0.5 ml-4.5">
                {joined.map((connection) => (
                  <li key={connection.wire.id} className="flex items-center gap-1">
                    <button
                      type="button"
                      className="min-w-0 truncate rounded-sm text-left text-xs text-accent hover:underline"
                      onClick={() => onNode(connection.node)}
                    >
                      {end === "targetPort" ? "← " : "→ "}
                      {[connection.nodeTitle, connection.otherPort].filter((part) => part !== "").join(" · ")}
                    </button>
                    {editor ? (
                      <IconButton
                        size="sm"
                        label={t("editor.wire.removeTo", { name: connection.nodeTitle })}
                        icon={<Unplug className="size-3.5" />}
                        onClick={() => edit(editor, { op: "cut", wire: connection.wire.id })}
                      />
                    ) : null}
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
