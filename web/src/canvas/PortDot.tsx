import { Handle, Position } from "@xyflow/react";
import { useTranslation } from "react-i18next";
import type { Refusal } from "@/flow/edit/refusal";
import { spoken } from "@/flow/edit/spoken";
import type { Point, Port } from "@/flow/model";
import { portLook } from "@/flow/portTypes";
import { useEditorOrNull } from "@/stores/editor/state";
import { portKey, type Pulling, useCanvas } from "./canvasStore";

/** `plain`: seen from afar, where a letter could not be read. */
export function PortDot({
  node,
  port,
  place,
  plain,
}: {
  node: string;
  port: Port;
  place: Point | undefined;
  plain: boolean;
}) {
  const { t } = useTranslation();
  const editor = useEditorOrNull();
  const editable = editor !== null;
  const fit = useCanvas((state) => fitOf(state.pulling, node, port));
  const look =
    port.type === null && port.types.length > 1 ? { key: "unknown", letter: "+" } : portLook(port.type);
  const types = port.role === "control" ? t("flow.port.control") : port.types.join(", ");
  return (
    <Handle
      id={port.id}
      type={port.side === "in" ? "target" : "source"}
      position={port.side === "in" ? Position.Left : Position.Right}
      isConnectable={editable && port.role !== "lost"}
      className="ff-port"
      style={{ top: place?.y ?? 0 }}
      data-side={port.side}
      data-role={port.role}
      data-type={look.key}
      data-port-label={port.label || port.name}
      data-port-types={types || t("flow.port.anyType")}
      data-port-missing={port.role === "lost" || undefined}
      data-fit={fit === undefined ? undefined : fit === null ? "yes" : "no"}
      data-port-reason={fit && editor ? spoken(fit, editor.getState().flow) : undefined}
    >
      {plain ? null : (
        <span aria-hidden="true" className="pointer-events-none">
          {port.role === "control" ? "" : port.role === "lost" ? "!" : look.letter}
        </span>
      )}
    </Handle>
  );
}

/** Null: the wire under the hand may end here; else why not, if that is known; undefined: it is not about this port. */
function fitOf(pulling: Pulling | null, node: string, port: Port): Refusal | false | null | undefined {
  if (!pulling || (node === pulling.node && port.name === pulling.port)) return undefined;
  if (port.side === pulling.side) return false;
  return pulling.fits.get(portKey(node, port.name)) ?? (pulling.fits.has(portKey(node, port.name)) ? null : false);
}
