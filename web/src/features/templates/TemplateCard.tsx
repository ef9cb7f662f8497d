import { memo } from "react";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { Template } from "@/flow/templates";
import { NeedsLine } from "./NeedsLine";
import { Picture } from "./Picture";

const MOST_PARTS = 6;

export const TemplateCard = memo(function TemplateCard({
  template,
  onOpen,
}: {
  template: Template;
  onOpen: (id: string) => void;
}) {
  const { id, name, description, flow, parts, needs } = template;
  const more = parts.length - MOST_PARTS;
  return (
    <li className="relative flex flex-col overflow-hidden rounded-lg border border-line bg-surface transition-colors hover:border-line-strong has-focus-visible:border-accent">
      <Picture flow={flow} />
      <div className="flex flex-1 flex-col gap-2 border-t border-line p-3">
        <h2 className="text-sm font-semibold">
          <button
            type="button"
            data-template={id}
            className="text-left after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            onClick={() => onOpen(id)}
          >
            {name}
          </button>
        </h2>
        <p className="line-clamp-2 min-h-8 flex-1 text-xs text-muted">{description}</p>
        <div aria-hidden="true" className="flex items-center gap-2 text-muted">
          {parts.slice(0, MOST_PARTS).map((part) => (
            <span key={part.type} title={part.name} className="relative z-1 flex">
              <NodeIcon name={part.icon} className="size-4" />
            </span>
          ))}
          {more > 0 ? <span className="text-2xs text-faint">+{more}</span> : null}
        </div>
        <NeedsLine needs={needs} />
      </div>
    </li>
  );
});
