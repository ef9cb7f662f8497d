import { Popover } from "@base-ui/react/popover";
import { cx } from "@/ui/cx";
import type { PopupProps } from "./Popup";

export default function PopupPanel({ anchor, label, onClose, children, width = "anchor" }: PopupProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-60 outline-none">
          <Popover.Popup
            aria-label={label}
            finalFocus={anchor}
            className={cx(
              "flex max-h-[min(420px,var(--available-height))] max-w-[calc(100vw-16px)] flex-col overflow-hidden rounded-lg border border-line bg-raised text-sm text-ink shadow-2 outline-none",
              width === "wide" ? "w-96" : "w-(--anchor-width) min-w-60",
            )}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
