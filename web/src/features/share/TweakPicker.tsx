import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CallField, CallNode } from "@/flow/callInputs";
import { Badge } from "@/ui/Badge";
import { Checkbox } from "@/ui/Checkbox";
import { cx } from "@/ui/cx";
import { Input } from "@/ui/Field";

export const keyOfField = ({ node, field }: CallField): string => `${node}\n${field}`;

/** Which fields a call sets. A flow can have thousands, so a node's are drawn only while it is unfolded. */
export function TweakPicker({
  nodes,
  chosen,
  onChange,
}: {
  nodes: readonly CallNode[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: Set<string>) => void;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = nodes.flatMap((node) => {
    const whole = `${node.title} ${node.id}`.toLowerCase().includes(words);
    const fields = whole ? node.fields : node.fields.filter((field) => field.label.toLowerCase().includes(words));
    return fields.length > 0 ? [{ ...node, fields }] : [];
  });
  const toggle = (key: string, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="text-sm font-medium">{t("share.tweaks.title")}</legend>
      <p className="text-xs text-muted">{t("share.tweaks.hint")}</p>
      {nodes.length > 4 ? (
        <Input
          type="search"
          aria-label={t("share.tweaks.search")}
          placeholder={t("share.tweaks.search")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      <div className="scroll-thin max-h-56 overflow-y-auto rounded-lg border border-line">
        {found.map((node) => (
          <NodeFields key={node.id} node={node} chosen={chosen} unfolded={words !== "" && found.length <= 5} onToggle={toggle} />
        ))}
        {found.length === 0 ? <p className="p-2 text-xs text-muted">{t("share.tweaks.none")}</p> : null}
      </div>
    </fieldset>
  );
}

function NodeFields({
  node,
  chosen,
  unfolded,
  onToggle,
}: {
  node: CallNode;
  chosen: ReadonlySet<string>;
  unfolded: boolean;
  onToggle: (key: string, on: boolean) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const count = node.fields.filter((field) => chosen.has(keyOfField(field))).length;
  const shown = open || unfolded;
  return (
    <details
      open={shown}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="border-b border-line last:border-b-0"
    >
      <summary className="flex min-h-8 cursor-pointer items-center gap-2 px-2 text-sm">
        <ChevronRight aria-hidden="true" className={cx("size-3.5 shrink-0 text-faint", shown && "rotate-90")} />
        <span className="min-w-0 flex-1 truncate">{node.title}</span>
        {count > 0 ? <Badge tone="accent">{t("share.tweaks.chosen", { count })}</Badge> : null}
      </summary>
      {shown ? (
        <ul className="space-y-1 pr-2 pb-2 pl-7.5">
          {node.fields.map((field) => {
            const key = keyOfField(field);
            return (
              <li key={key} className="flex items-center gap-2 text-sm">
                <Checkbox id={`${id}-${field.field}`} checked={chosen.has(key)} onChange={(on) => onToggle(key, on)} />
                <label htmlFor={`${id}-${field.field}`} className="min-w-0 flex-1 truncate">
                  {field.label}
                </label>
                {field.secret ? <span className="text-xs text-muted">{t("share.tweaks.secret")}</span> : null}
              </li>
            );
          })}
        </ul>
      ) : null}
    </details>
  );
}
