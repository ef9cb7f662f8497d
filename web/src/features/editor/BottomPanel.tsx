import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";

export type BottomTab = "problems" | "runs" | "variables";

export interface BottomTabEntry {
  id: BottomTab;
  label: string;
  /** Shown beside the name when there is something. */
  count?: number;
  tone?: "danger" | "warn";
}

/** The bar under the canvas; pressed, one of its tabs opens above it. */
export function BottomPanel({
  tabs,
  open,
  onOpen,
  children,
}: {
  tabs: readonly BottomTabEntry[];
  open: BottomTab | null;
  onOpen: (tab: BottomTab | null) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const current = tabs.find((tab) => tab.id === open);
  return (
    <div className="flex shrink-0 flex-col border-t border-line bg-surface">
      {current ? (
        <section
          id="flow-bottom"
          aria-label={current.label}
          className="scroll-thin h-[38vh] max-h-110 min-h-40 overflow-auto border-b border-line"
        >
          {children}
        </section>
      ) : null}
      <div role="toolbar" aria-label={t("editor.bottom.label")} className="flex h-8 items-center gap-1 px-2 text-xs">
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            aria-expanded={open === tab.id}
            aria-controls={open === tab.id ? "flow-bottom" : undefined}
            className="flex h-6 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink aria-expanded:bg-accent-soft aria-expanded:text-accent"
            onClick={() => onOpen(open === tab.id ? null : tab.id)}
          >
            {tab.label}
            {tab.count ? (
              <span
                className={cx(
                  "min-w-4 rounded-full px-1 text-center text-2xs font-semibold tabular-nums",
                  tab.tone === "danger" ? "bg-danger text-on-danger" : "bg-sunken text-muted",
                )}
              >
                {tab.count}
              </span>
            ) : null}
          </button>
        ))}
        {open ? (
          <IconButton
            size="sm"
            className="ml-auto"
            label={t("common.close")}
            icon={<ChevronDown className="size-4" />}
            onClick={() => onOpen(null)}
          />
        ) : null}
      </div>
    </div>
  );
}
