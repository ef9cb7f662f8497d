import { lazy, type ReactNode, type RefObject, Suspense } from "react";
import { useEverTrue } from "./useEverTrue";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  initialFocus?: RefObject<HTMLElement | null>;
  /** False keeps Escape and presses outside from closing it. */
  dismissible?: boolean;
}

const load = () => import("./DialogPopup");
const DialogPopup = lazy(load);

export function preloadDialogs(): void {
  void load();
}

export function Dialog(props: DialogProps) {
  if (!useEverTrue(props.open)) return null;
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
