import "@/i18n/englishOfFlows";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FlowCanvas } from "@/canvas/FlowCanvas";
import { NodeIcon } from "@/canvas/icons/NodeIcon";
import type { Template } from "@/flow/templates";
import { Button } from "@/ui/Button";
import { NeedsLine } from "./NeedsLine";

/** A template to look at before it is used: the same drawing as on the canvas, without a way to change it. */
export default function TemplatePreview({
  template,
  useLabel,
  onUse,
  onBack,
}: {
  template: Template;
  useLabel: string;
  onUse: (template: Template) => Promise<void> | void;
  onBack: () => void;
}) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<string | null>(null);
  const [minimap, setMinimap] = useState(false);
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const use = async (): Promise<void> => {
    setBusy(true);
    try {
      await onUse(template);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <Button size="sm" icon={<ArrowLeft aria-hidden="true" className="size-3.5" />} onClick={onBack}>
          {t("templates.back")}
        </Button>
        <div className="min-w-52 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-lg leading-7 font-semibold outline-none">
            {template.name}
          </h2>
          <p className="text-sm text-muted">{template.description}</p>
        </div>
        <Button variant="primary" busy={busy} onClick={() => void use()}>
          {useLabel}
        </Button>
      </div>
      <NeedsLine needs={template.needs} />
      <div className="relative min-h-105 flex-1 overflow-hidden rounded-lg border border-line">
        {/* The canvas is as high as what is around it, which has no height of its own. */}
        <div className="absolute inset-0">
          <FlowCanvas
            flow={template.flow}
            drawing={template.id}
            selected={selected}
            onSelect={setSelected}
            onPick={setSelected}
            onOpen={setSelected}
            onEscape={() => setSelected(null)}
            minimap={minimap}
            onMinimap={setMinimap}
            label={t("flow.canvas.label", { name: template.name })}
          />
        </div>
      </div>
      <ul aria-label={t("templates.parts")} className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {template.parts.map((part) => (
          <li key={part.type} className="flex items-center gap-1.5">
            <NodeIcon name={part.icon} className="size-3.5" />
            {part.name}
          </li>
        ))}
      </ul>
    </div>
  );
}
