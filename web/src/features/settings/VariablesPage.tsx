import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2, Variable } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient } from "@/api/queryClient";
import type { VariableRead } from "@/api/types";
import { deleteVariable, variableKeys, variablesQuery } from "@/api/variables";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { PageHeader } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { SkeletonRows } from "@/ui/Skeleton";
import { Table, Td, Th } from "@/ui/Table";
import { VariableDialog } from "./VariableDialog";

export default function VariablesPage() {
  const { t } = useTranslation();
  const variables = useQuery(variablesQuery);
  const [editing, setEditing] = useState<VariableRead | "new" | null>(null);
  const [deleting, setDeleting] = useState<VariableRead | null>(null);
  const add = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      onClick={() => setEditing("new")}
    >
      {t("settings.variables.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("settings.variables.title")}
        description={t("settings.variables.hint")}
        actions={add}
      />
      {variables.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {variables.isError ? (
        <ErrorNotice error={variables.error} onRetry={() => void variables.refetch()} />
      ) : null}
      {variables.data?.length === 0 ? (
        <EmptyState icon={<Variable />} title={t("settings.variables.emptyTitle")}>
          {t("settings.variables.empty")}
        </EmptyState>
      ) : null}
      {variables.data && variables.data.length > 0 ? (
        <Table
          label={t("settings.variables.title")}
          head={
            <>
              <Th>{t("settings.variables.name")}</Th>
              <Th>{t("settings.variables.type")}</Th>
              <Th className="max-sm:hidden">{t("settings.variables.value")}</Th>
              <Th className="max-lg:hidden">{t("settings.variables.fields")}</Th>
              <Th className="max-md:hidden">{t("settings.variables.changed")}</Th>
              <Th hidden>{t("settings.actions")}</Th>
            </>
          }
        >
          {variables.data.map((variable) => (
            <tr key={variable.id} className="border-t border-line">
              <Td className="max-w-40 truncate font-medium">{variable.name}</Td>
              <Td>
                <Badge tone={variable.type === "Credential" ? "warn" : "neutral"}>
                  {variable.type === "Credential"
                    ? t("settings.variables.credential")
                    : t("settings.variables.generic")}
                </Badge>
              </Td>
              <Td className="max-w-40 truncate text-muted max-sm:hidden">
                {variable.type === "Credential" ? (
                  variable.has_value ? (
                    <span aria-label={t("settings.variables.hidden")} role="img">
                      ••••••••
                    </span>
                  ) : (
                    t("settings.variables.noValue")
                  )
                ) : (
                  variable.value || t("settings.variables.noValue")
                )}
              </Td>
              <Td className="max-w-40 truncate text-muted max-lg:hidden">
                {variable.default_fields.join(", ") || "–"}
              </Td>
              <Td className="whitespace-nowrap text-muted max-md:hidden">
                <RelativeTime value={variable.updated_at} />
              </Td>
              <Td>
                <span className="flex justify-end gap-0.5">
                  <IconButton
                    label={t("settings.variables.edit", { name: variable.name })}
                    icon={<Pencil className="size-4" />}
                    size="sm"
                    onClick={() => setEditing(variable)}
                  />
                  <IconButton
                    label={t("settings.variables.delete", { name: variable.name })}
                    icon={<Trash2 className="size-4" />}
                    size="sm"
                    onClick={() => setDeleting(variable)}
                  />
                </span>
              </Td>
            </tr>
          ))}
        </Table>
      ) : null}
      {editing ? (
        <VariableDialog
          variable={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
        />
      ) : null}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t("settings.variables.deleteTitle", { name: deleting?.name ?? "" })}
        description={t("settings.variables.deleteConfirm")}
        confirmLabel={t("settings.delete")}
        onConfirm={async () => {
          if (deleting) await deleteVariable(deleting.id);
          await queryClient.invalidateQueries({ queryKey: variableKeys.all });
        }}
      />
    </>
  );
}
