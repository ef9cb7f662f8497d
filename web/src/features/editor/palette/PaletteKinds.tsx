import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { PaletteItem } from "@/flow/palette";
import { showKind } from "@/stores/palette";
import { Switch } from "@/ui/Switch";

/** Whether old and unfinished components are listed. */
export function PaletteKinds({
  id,
  items,
  legacy,
  beta,
}: {
  id: string;
  items: readonly PaletteItem[];
  legacy: boolean;
  beta: boolean;
}) {
  const { t } = useTranslation();
  const count = (kind: "legacy" | "beta"): number => items.filter((item) => item[kind]).length;
  return (
    <div id={id} className="mx-2 mb-2 space-y-1 rounded-md border border-line bg-bg p-2">
      <Kind
        label={t("palette.showLegacy", { count: count("legacy") })}
        on={legacy}
        onChange={(on) => showKind("legacy", on)}
      />
      {count("beta") > 0 ? (
        <Kind
          label={t("palette.showBeta", { count: count("beta") })}
          on={beta}
          onChange={(on) => showKind("beta", on)}
        />
      ) : null}
    </div>
  );
}

function Kind({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-xs">
      <label htmlFor={id} className="min-w-0 flex-1 truncate py-1">
        {label}
      </label>
      <Switch id={id} checked={on} onChange={onChange} />
    </div>
  );
}
