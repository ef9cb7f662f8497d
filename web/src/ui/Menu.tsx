import {
  cloneElement,
  type ComponentType,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { part } from "@/lib/part";

export interface MenuProps {
  /** A button; it is given the menu's ARIA and handlers. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "left" | "right";
}

export interface PointMenuProps {
  /** Where on the screen it opens. */
  at: { x: number; y: number };
  onClose: () => void;
  children: ReactNode;
}

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
}

export interface SubMenuProps {
  icon?: ReactNode;
  label: ReactNode;
  children: ReactNode;
}

export interface MenuRadioGroupProps<V extends string> {
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: string }[];
}

/** The parts are loaded when a menu is about to be needed: they are a large part of a first load. */
const load = () => part(() => import("./MenuParts"));

export function preloadMenus(): void {
  // Without the server it is fetched again when it is needed.
  load().catch(() => {});
}

const OpenMenu = lazy(() => load().then((parts) => ({ default: parts.OpenMenu })));
export const MenuItem = lazy(() => load().then((parts) => ({ default: parts.MenuItem })));
export const MenuSeparator = lazy(() => load().then((parts) => ({ default: parts.MenuSeparator })));
export const SubMenu = lazy(() => load().then((parts) => ({ default: parts.SubMenu })));
const OpenPointMenu = lazy(() => load().then((parts) => ({ default: parts.PointMenu })));
const RadioGroup = lazy(() => load().then((parts) => ({ default: parts.MenuRadioGroup })));

export function MenuRadioGroup<V extends string>(props: MenuRadioGroupProps<V>) {
  const Group = RadioGroup as unknown as ComponentType<MenuRadioGroupProps<V>>;
  return <Group {...props} />;
}

export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const button = cloneElement(props.trigger as ReactElement<Record<string, unknown>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: () => setWanted(true),
  });
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu {...props} />
    </Suspense>
  );
}

/** A menu at a point, as the other mouse button opens it. */
export function PointMenu(props: PointMenuProps) {
  return (
    <Suspense fallback={null}>
      <OpenPointMenu {...props} />
    </Suspense>
  );
}
