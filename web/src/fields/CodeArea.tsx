import { lazy, Suspense } from "react";
import { part } from "@/lib/part";
import { Skeleton } from "@/ui/Skeleton";
import type { CodeAreaProps } from "./CodeMirrorArea";

const Area = lazy(() => part(() => import("./CodeMirrorArea")));

/** A text with marked words; the editor behind it is loaded when it is first needed. */
export function CodeArea(props: CodeAreaProps) {
  return (
    <Suspense fallback={<Skeleton className="min-w-0 flex-1" />}>
      <Area {...props} />
    </Suspense>
  );
}
