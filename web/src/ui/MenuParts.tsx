import { Menu as Base } from "@base-ui/react/menu";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import type { MenuItemProps, MenuProps, MenuRadioGroupProps, PointMenuProps, SubMenuProps } from "./Menu";

const popupClass =
  "scroll-thin max-h-(--available-height) min-w-44 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-2 outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0";

const itemClass =
  "flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 data-popup-open:bg-hover";

/** Popups are portalled to the end of the page; the landmark around them lets screen readers say where one is. */
function Portal({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <Base.Portal render={<section aria-label={t("common.menu")} />}>{children}</Base.Portal>;
}

export function OpenMenu({ trigger, children, align = "end", side = "bottom" }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-60 outline-none">
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Portal>
    </Base.Root>
  );
}

export function PointMenu({ at, onClose, children }: PointMenuProps) {
  const anchor = { getBoundingClientRect: () => DOMRect.fromRect({ x: at.x, y: at.y, width: 0, height: 0 }) };
  return (
    <Base.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Portal>
        <Base.Positioner anchor={anchor} align="start" side="bottom" className="z-60 outline-none">
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Portal>
    </Base.Root>
  );
}

export function MenuItem({ icon, children, onSelect, shortcut, danger, disabled = false }: MenuItemProps) {
  return (
    <Base.Item
      className={cx(itemClass, danger && "text-danger")}
      disabled={disabled}
      onClick={onSelect}
    >
      <span className="flex size-4 shrink-0 items-center text-current *:size-4">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut ? <Kbd keys={shortcut} /> : null}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}

export function SubMenu({ icon, label, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={itemClass}>
        <span className="flex size-4 shrink-0 items-center *:size-4">{icon}</span>
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRight aria-hidden="true" className="size-3.5 text-faint" />
      </Base.SubmenuTrigger>
      <Portal>
        <Base.Positioner sideOffset={2} alignOffset={-4} className="z-60 outline-none">
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Portal>
    </Base.SubmenuRoot>
  );
}

export function MenuRadioGroup({ value, onChange, options }: MenuRadioGroupProps<string>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={itemClass} closeOnClick>
          <span className="flex size-4 items-center justify-center">
            <Base.RadioItemIndicator className="size-1.5 rounded-full bg-current" />
          </span>
          {option.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
