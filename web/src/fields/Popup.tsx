import { lazy, type ReactNode, type RefObject, Suspense } from "react";
import { part } from "@/lib/part";
import { Island } from "./Island";

export interface PopupProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  onClose: () => void;
  children: ReactNode;
  width?: "anchor" | "wide";
}

const Panel = lazy(() => part(() => import("./PopupPanel")));

/** A small box beside a control; mount it only while it is open. */
export function Popup(props: PopupProps) {
  return (
    <Island>
      <Suspense>
        <Panel {...props} />
      </Suspense>
    </Island>
  );
}
