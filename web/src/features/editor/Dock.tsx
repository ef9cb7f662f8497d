import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import type { Panel } from "./views";

const titles = {
  inspector: "flow.panel.inspector",
  output: "editor.panel.output",
  outline: "flow.panel.outline",
  details: "flow.panel.details",
  versions: "flow.panel.versions",
  playground: "playground.title",
} as const satisfies Record<Panel, string>;

export const DOCK_ID = "flow-dock";

/** The one place at the right for whatever belongs beside the canvas. */
export function Dock({
  panel,
  onClose,
  actions,
  fill = false,
  children,
}: {
  panel: Panel;
  onClose: () => void;
  /** Stand before the button that closes it. */
  actions?: ReactNode;
  /** The tenant is as high as the dock, scrolls its own parts and takes the focus itself. */
  fill?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!fill) heading.current?.focus({ preventScroll: true });
  }, [fill]);
  return (
    <aside
      id={DOCK_ID}
      aria-label={t(titles[panel])}
      className={cx(
        "absolute inset-y-0 right-0 z-20 flex w-full shrink-0 flex-col border-l border-line bg-surface shadow-3 md:relative md:shadow-none",
        fill ? "max-w-120 md:w-120 md:max-w-[50%]" : "max-w-95 md:w-95",
      )}
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className="min-w-0 flex-1 truncate text-sm font-semibold outline-none"
        >
          {t(titles[panel])}
        </h2>
        {actions}
        <IconButton
          size="sm"
          label={t("common.close")}
          shortcut="escape"
          icon={<X className="size-4" />}
          onClick={onClose}
        />
      </div>
      <div className={cx("min-h-0 flex-1", fill ? "flex flex-col" : "scroll-thin overflow-y-auto")}>{children}</div>
    </aside>
  );
}
