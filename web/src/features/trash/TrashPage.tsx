import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FolderClosed, RotateCcw, Trash2, Workflow } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { flowKeys } from "@/api/flows";
import { projectKeys } from "@/api/projects";
import { queryClient } from "@/api/queryClient";
import { configQuery } from "@/api/session";
import { deleteForEver, emptyTrash, restoreFromTrash, trashKeys, trashQuery } from "@/api/trash";
import type { TrashItem } from "@/api/types";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { Button, IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Page, PageHeader } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { SkeletonRows } from "@/ui/Skeleton";
import { Table, Td, Th } from "@/ui/Table";
import { showToast } from "@/ui/toasts";
import { toastError } from "@/ui/toastError";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";

async function refresh(): Promise<void> {
  await Promise.all(
    [trashKeys.all, flowKeys.all, projectKeys.all].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

export default function TrashPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const trash = useQuery(trashQuery);
  const [deleting, setDeleting] = useState<TrashItem | null>(null);
  const [emptying, setEmptying] = useState(false);
  const days = useQuery(configQuery).data?.trash_days ?? 30;
  const items = trash.data ?? [];
  useTitle(t("trash.title"));

  const restore = async (item: TrashItem) => {
    try {
      await restoreFromTrash(item.kind, item.id);
      showToast({
        tone: "success",
        message: t("trash.restored", { name: item.name }),
        action: {
          label: t("common.open"),
          run: () =>
            void (item.kind === "flow"
              ? navigate({ to: "/flow/$flowId", params: { flowId: item.id } })
              : navigate({ to: "/projects/$projectId", params: { projectId: item.id } })),
        },
      });
    } catch (error) {
      toastError(error);
    } finally {
      await refresh();
    }
  };

  return (
    <Page>
      <TopBarTitle>
        <Breadcrumbs items={[{ label: t("trash.title") }]} />
      </TopBarTitle>
      <PageHeader
        title={t("trash.title")}
        description={t("trash.hint", { count: days })}
        actions={
          items.length > 0 ? (
            <Button icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => setEmptying(true)}>
              {t("trash.empty")}
            </Button>
          ) : null
        }
      />
      {trash.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {trash.isError ? <ErrorNotice error={trash.error} onRetry={() => void trash.refetch()} /> : null}
      {trash.data && items.length === 0 ? (
        <EmptyState icon={<Trash2 />} title={t("trash.emptyTitle")}>
          {t("trash.emptyHint", { count: days })}
        </EmptyState>
      ) : null}
      {items.length > 0 ? (
        <Table
          label={t("trash.title")}
          head={
            <>
              <Th>{t("trash.name")}</Th>
              <Th className="max-sm:hidden">{t("trash.kind")}</Th>
              <Th>{t("trash.deleted")}</Th>
              <Th className="max-md:hidden">{t("trash.expires")}</Th>
              <Th hidden>{t("trash.actions")}</Th>
            </>
          }
        >
          {items.map((item) => (
            <tr key={`${item.kind}/${item.id}`} className="border-t border-line">
              <Td className="w-full max-w-0">
                <span className="flex items-center gap-2">
                  {item.kind === "flow" ? (
                    <Workflow aria-hidden="true" className="size-4 shrink-0 text-muted" />
                  ) : (
                    <FolderClosed aria-hidden="true" className="size-4 shrink-0 text-muted" />
                  )}
                  <span className="truncate font-medium">{item.name}</span>
                  {item.kind === "project" && item.flow_count ? (
                    <span className="shrink-0 text-xs text-muted">
                      {t("trash.withFlows", { count: item.flow_count })}
                    </span>
                  ) : null}
                </span>
              </Td>
              <Td className="text-muted max-sm:hidden">
                {item.kind === "flow" ? t("trash.flow") : t("trash.project")}
              </Td>
              <Td className="whitespace-nowrap text-muted">
                <RelativeTime value={item.deleted_at} />
              </Td>
              <Td className="whitespace-nowrap text-muted max-md:hidden">
                <RelativeTime value={item.expires_at} />
              </Td>
              <Td>
                <span className="flex justify-end gap-1">
                  <Button
                    size="sm"
                    aria-label={t("trash.restoreNamed", { name: item.name })}
                    icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
                    onClick={() => void restore(item)}
                  >
                    <span className="max-sm:hidden">{t("trash.restore")}</span>
                  </Button>
                  <IconButton
                    label={t("trash.forEverNamed", { name: item.name })}
                    icon={<Trash2 className="size-4" />}
                    size="sm"
                    onClick={() => setDeleting(item)}
                  />
                </span>
              </Td>
            </tr>
          ))}
        </Table>
      ) : null}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t("trash.forEverTitle", { name: deleting?.name ?? "" })}
        description={t("trash.forEverConfirm")}
        confirmLabel={t("trash.forEver")}
        onConfirm={async () => {
          if (deleting) await deleteForEver(deleting.kind, deleting.id);
          await refresh();
        }}
      />
      <ConfirmDialog
        open={emptying}
        onClose={() => setEmptying(false)}
        title={t("trash.emptyConfirmTitle")}
        description={t("trash.emptyConfirm", { count: items.length })}
        confirmLabel={t("trash.empty")}
        onConfirm={async () => {
          await emptyTrash();
          await refresh();
        }}
      />
    </Page>
  );
}
