import { Handle, Position } from "@xyflow/react";
import { useTranslation } from "react-i18next";
import type { Point, Port } from "@/flow/model";
import { portLook } from "@/flow/portTypes";

/** `plain`: seen from afar, where a letter could not be read. */
export function PortDot({ port, place, plain }: { port: Port; place: Point | undefined; plain: boolean }) {
  const { t } = useTranslation();
  const look =
    port.type === null && port.types.length > 1 ? { key: "unknown", letter: "+" } : portLook(port.type);
  const types = port.role === "control" ? t("flow.port.control") : port.types.join(", ");
  return (
    <Handle
      id={port.id}
      type={port.side === "in" ? "target" : "source"}
      position={port.side === "in" ? Position.Left : Position.Right}
      isConnectable={false}
      className="ff-port"
      style={{ top: place?.y ?? 0 }}
      data-side={port.side}
      data-role={port.role}
      data-type={look.key}
      data-port-label={port.label || port.name}
      data-port-types={types || t("flow.port.anyType")}
      data-port-missing={port.role === "lost" || undefined}
    >
      {plain ? null : (
        <span aria-hidden="true" className="pointer-events-none">
          {port.role === "control" ? "" : port.role === "lost" ? "!" : look.letter}
        </span>
      )}
    </Handle>
  );
}
