import { Dialog as Base } from "@base-ui/react/dialog";
import { backdropClass } from "./backdrop";
import type { DrawerProps } from "./Drawer";

export default function DrawerPopup({ open, onClose, title, children }: DrawerProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className="fixed inset-y-0 left-0 z-50 w-[min(288px,85vw)] border-r border-line bg-surface shadow-3 transition-transform duration-150 outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
