import { lazy, type ReactNode, type RefObject, Suspense } from "react";
import { part } from "@/lib/part";
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
  /** It is only read: its text takes the focus, so that keys scroll it. */
  reading?: boolean;
}

const load = () => part(() => import("./DialogPopup"));
const DialogPopup = lazy(load);

export function preloadDialogs(): void {
  // Without the server it is fetched again when it is needed.
  load().catch(() => {});
}

export function Dialog(props: DialogProps) {
  if (!useEverTrue(props.open)) return null;
  return (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  );
}
