import { lazy, type ReactNode, Suspense } from "react";
import { part } from "@/lib/part";
import { useEverTrue } from "./useEverTrue";

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

const DrawerPopup = lazy(() => part(() => import("./DrawerPopup")));

export function Drawer(props: DrawerProps) {
  if (!useEverTrue(props.open)) return null;
  return (
    <Suspense>
      <DrawerPopup {...props} />
    </Suspense>
  );
}
