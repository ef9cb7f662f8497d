import { useTranslation } from "react-i18next";
import { Skeleton } from "@/ui/Skeleton";

/** Stands where the drawing will be; `inside` when the page around it is already there. */
export function CanvasSkeleton({ inside = false }: { inside?: boolean }) {
  const { t } = useTranslation();
  const Tag = inside ? "div" : "main";
  return (
    <Tag className="relative size-full min-h-0 flex-1 overflow-hidden bg-bg">
      <div
        role="status"
        aria-label={t("flow.page.loading")}
        className="flex size-full items-center justify-center gap-16 px-8"
      >
        <Skeleton className="h-44 w-64" />
        <Skeleton className="hidden h-64 w-64 md:block" />
        <Skeleton className="hidden h-40 w-64 lg:block" />
      </div>
    </Tag>
  );
}
