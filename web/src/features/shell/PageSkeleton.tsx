import { useTranslation } from "react-i18next";
import { SkeletonRows } from "@/ui/Skeleton";

export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="mx-auto w-full max-w-5xl flex-1 p-6">
      <SkeletonRows rows={6} label={t("common.loading")} />
    </div>
  );
}
