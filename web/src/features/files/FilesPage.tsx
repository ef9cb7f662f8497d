import { useQuery } from "@tanstack/react-query";
import { Download, FileText, Pencil, Trash2, Upload } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { deleteFiles, downloadFilesZip, fileKeys, filesQuery, fileUrl } from "@/api/files";
import { queryClient } from "@/api/queryClient";
import { configQuery } from "@/api/session";
import { saveResponse } from "@/api/transfer";
import type { FileRead } from "@/api/types";
import { pickFiles } from "@/stores/imports";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { Button, IconButton } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { cx } from "@/ui/cx";
import { DropZone } from "@/ui/DropZone";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Page, PageHeader } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { SkeletonRows } from "@/ui/Skeleton";
import { Table, Td, Th } from "@/ui/Table";
import { fileSize } from "@/ui/time";
import { toastError } from "@/ui/toastError";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import { RenameFileDialog } from "./RenameFileDialog";
import { UploadList } from "./UploadList";
import { uploadFiles } from "./uploads";

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: fileKeys.all });
}

export default function FilesPage() {
  const { t, i18n } = useTranslation();
  const files = useQuery(filesQuery);
  const config = useQuery(configQuery).data;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [renaming, setRenaming] = useState<FileRead | null>(null);
  const [deleting, setDeleting] = useState<FileRead[] | null>(null);
  const items = useMemo(() => files.data ?? [], [files.data]);
  const selected = items.filter((file) => chosen.has(file.id));
  const megabytes = config?.max_file_size_upload ?? 1024;
  useTitle(t("files.title"));

  const upload = (list: File[]) => void uploadFiles(list, megabytes * 1024 * 1024);
  const pick = async () => upload(await pickFiles("*/*"));
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const zip = async () => {
    try {
      await saveResponse(await downloadFilesZip(selected.map((file) => file.id)), "files.zip");
    } catch (error) {
      toastError(error);
    }
  };

  return (
    <Page>
      <TopBarTitle>
        <Breadcrumbs items={[{ label: t("files.title") }]} />
      </TopBarTitle>
      <DropZone title={t("files.dropTitle")} hint={t("files.dropHint")} onFiles={upload} />
      <PageHeader
        title={t("files.title")}
        description={t("files.hint", { count: megabytes })}
        actions={
          <>
            {selected.length > 0 ? (
              <>
                <Button
                  icon={<Download aria-hidden="true" className="size-4" />}
                  onClick={() => void zip()}
                >
                  {t("files.zip", { count: selected.length })}
                </Button>
                <Button
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                  onClick={() => setDeleting(selected)}
                >
                  {t("files.deleteSelected", { count: selected.length })}
                </Button>
              </>
            ) : null}
            <Button
              variant="primary"
              icon={<Upload aria-hidden="true" className="size-4" />}
              onClick={() => void pick()}
            >
              {t("files.upload")}
            </Button>
          </>
        }
      />
      <UploadList />
      {files.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {files.isError ? <ErrorNotice error={files.error} onRetry={() => void files.refetch()} /> : null}
      {files.data && items.length === 0 ? (
        <EmptyState
          icon={<FileText />}
          title={t("files.emptyTitle")}
          actions={
            <Button
              variant="primary"
              icon={<Upload aria-hidden="true" className="size-4" />}
              onClick={() => void pick()}
            >
              {t("files.upload")}
            </Button>
          }
        >
          {t("files.empty")}
        </EmptyState>
      ) : null}
      {items.length > 0 ? (
        <Table
          label={t("files.title")}
          head={
            <>
              <th scope="col" className="w-10 pl-3">
                <Checkbox
                  aria-label={t("files.selectAll")}
                  checked={selected.length === items.length}
                  indeterminate={selected.length > 0 && selected.length < items.length}
                  onChange={(on) => setChosen(on ? new Set(items.map((file) => file.id)) : new Set())}
                />
              </th>
              <Th>{t("files.name")}</Th>
              <Th className="text-right">{t("files.size")}</Th>
              <Th className="max-md:hidden">{t("files.kind")}</Th>
              <Th className="max-sm:hidden">{t("files.changed")}</Th>
              <Th hidden>{t("files.actions")}</Th>
            </>
          }
        >
          {items.map((file) => (
            <tr
              key={file.id}
              className={cx("border-t border-line", chosen.has(file.id) && "bg-accent-soft")}
            >
              <Td className="w-10">
                <Checkbox
                  aria-label={t("files.select", { name: file.name })}
                  checked={chosen.has(file.id)}
                  onChange={(on) => toggle(file.id, on)}
                />
              </Td>
              <Td className="w-full max-w-0 truncate font-medium">{file.name}</Td>
              <Td className="text-right whitespace-nowrap text-muted tabular-nums">
                {fileSize(file.size, i18n.language)}
              </Td>
              <Td className="max-w-48 truncate text-muted max-md:hidden">{file.mime_type}</Td>
              <Td className="whitespace-nowrap text-muted max-sm:hidden">
                <RelativeTime value={file.updated_at} />
              </Td>
              <Td>
                <span className="flex justify-end gap-0.5">
                  <a
                    href={fileUrl(file.id)}
                    download={file.name}
                    aria-label={t("files.download", { name: file.name })}
                    className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
                  >
                    <Download aria-hidden="true" className="size-4" />
                  </a>
                  <IconButton
                    label={t("files.rename", { name: file.name })}
                    icon={<Pencil className="size-4" />}
                    size="sm"
                    onClick={() => setRenaming(file)}
                  />
                  <IconButton
                    label={t("files.delete", { name: file.name })}
                    icon={<Trash2 className="size-4" />}
                    size="sm"
                    onClick={() => setDeleting([file])}
                  />
                </span>
              </Td>
            </tr>
          ))}
        </Table>
      ) : null}
      {renaming ? <RenameFileDialog file={renaming} onClose={() => setRenaming(null)} /> : null}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t("files.deleteTitle", { count: deleting?.length ?? 0, name: deleting?.[0]?.name ?? "" })}
        description={t("files.deleteConfirm")}
        confirmLabel={t("files.deleteYes")}
        onConfirm={async () => {
          await deleteFiles((deleting ?? []).map((file) => file.id));
          setChosen(new Set());
          await refresh();
        }}
      />
    </Page>
  );
}
