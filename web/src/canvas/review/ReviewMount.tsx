import { lazy, Suspense } from "react";
import { part } from "@/lib/part";
import { useReview } from "@/stores/review";

const ReviewLayer = lazy(() => part(() => import("./ReviewLayer")));

/** Nothing, until there is something to look at in this flow. */
export function ReviewMount({ flowId }: { flowId: string }) {
  const some = useReview((review) => review.flowId === flowId);
  return some ? (
    <Suspense>
      <ReviewLayer />
    </Suspense>
  ) : null;
}
