import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { flowQuery } from "@/api/flows";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { useTitle } from "@/ui/useTitle";
import { CanvasSkeleton } from "./CanvasSkeleton";
import { FlowWorkspace } from "./FlowWorkspace";
import type { FlowParts } from "./parts";

export default function FlowPage({
  flowId,
  parts,
}: {
  flowId: string;
  parts: FlowParts;
}) {
  const { t } = useTranslation();
  const query = useQuery(flowQuery(flowId));
  useTitle(query.data?.flow.name ?? t("flow.page.loading"));

  if (query.data) return <FlowWorkspace key={flowId} tagged={query.data} parts={parts} />;
  if (query.error) {
    return asApiError(query.error).status === 404 ? (
      <FlowMissing />
    ) : (
      <main className="mx-auto w-full max-w-lg p-6">
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </main>
    );
  }
  return <CanvasSkeleton />;
}

function FlowMissing() {
  const { t } = useTranslation();
  return (
    <main className="flex min-h-0 flex-1 items-center justify-center overflow-y-auto">
      <EmptyState
        icon={<Compass />}
        title={t("flow.page.missingTitle")}
        actions={
          <Link to="/" className={buttonClass("primary")}>
            {t("flow.page.toFlows")}
          </Link>
        }
      >
        {t("flow.page.missing")}
      </EmptyState>
    </main>
  );
}
