import { createContext, type ReactNode, use } from "react";
import { createPortal } from "react-dom";

export interface TopBarTargets {
  title: HTMLElement | null;
  actions: HTMLElement | null;
}

export const TopBarContext = createContext<TopBarTargets>({ title: null, actions: null });

/** Puts a page's breadcrumbs into the shell's top bar, after the logo. */
export function TopBarTitle({ children }: { children: ReactNode }) {
  const { title } = use(TopBarContext);
  return title ? createPortal(children, title) : null;
}

/** Puts a page's buttons into the shell's top bar, before the command bar's button. */
export function TopBarActions({ children }: { children: ReactNode }) {
  const { actions } = use(TopBarContext);
  return actions ? createPortal(children, actions) : null;
}
