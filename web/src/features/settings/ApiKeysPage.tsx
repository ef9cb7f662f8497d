import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { apiKeyKeys, apiKeysQuery, deleteApiKey } from "@/api/apiKeys";
import { queryClient } from "@/api/queryClient";
import type { ApiKeyRead } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { PageHeader } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { SkeletonRows } from "@/ui/Skeleton";
import { Table, Td, Th } from "@/ui/Table";
import { shortDate } from "@/ui/time";
import { useNow } from "@/ui/useNow";
import { NewApiKeyDialog } from "./NewApiKeyDialog";

function Expiry({ apiKey }: { apiKey: ApiKeyRead }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (!apiKey.is_active) return <Badge tone="danger">{t("settings.keys.inactive")}</Badge>;
  if (!apiKey.expires_at) return <span className="text-muted">{t("settings.keys.never")}</span>;
  if (Date.parse(apiKey.expires_at) < now) return <Badge tone="danger">{t("settings.keys.expired")}</Badge>;
  return <span className="text-muted">{shortDate(apiKey.expires_at, i18n.language)}</span>;
}

export default function ApiKeysPage() {
  const { t } = useTranslation();
  const keys = useQuery(apiKeysQuery);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKeyRead | null>(null);
  return (
    <>
      <PageHeader
        title={t("settings.keys.title")}
        description={t("settings.keys.hint")}
        actions={
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setCreating(true)}
          >
            {t("settings.keys.new")}
          </Button>
        }
      />
      {keys.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {keys.isError ? <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.data?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t("settings.keys.emptyTitle")}>
          {t("settings.keys.empty")}
        </EmptyState>
      ) : null}
      {keys.data && keys.data.length > 0 ? (
        <Table
          label={t("settings.keys.title")}
          head={
            <>
              <Th>{t("settings.keys.name")}</Th>
              <Th className="max-sm:hidden">{t("settings.keys.key")}</Th>
              <Th className="max-md:hidden">{t("settings.keys.created")}</Th>
              <Th className="max-md:hidden">{t("settings.keys.used")}</Th>
              <Th>{t("settings.keys.expires")}</Th>
              <Th hidden>{t("settings.actions")}</Th>
            </>
          }
        >
          {keys.data.map((key) => (
            <tr key={key.id} className="border-t border-line">
              <Td className="max-w-40 truncate font-medium">{key.name}</Td>
              <Td className="font-mono text-xs whitespace-nowrap text-muted max-sm:hidden">{key.api_key}</Td>
              <Td className="whitespace-nowrap text-muted max-md:hidden">
                <RelativeTime value={key.created_at} />
              </Td>
              <Td className="whitespace-nowrap text-muted max-md:hidden">
                {key.last_used_at ? <RelativeTime value={key.last_used_at} /> : t("settings.keys.unused")}
              </Td>
              <Td className="whitespace-nowrap">
                <Expiry apiKey={key} />
              </Td>
              <Td>
                <span className="flex justify-end">
                  <IconButton
                    label={t("settings.keys.revoke", { name: key.name })}
                    icon={<Trash2 className="size-4" />}
                    size="sm"
                    onClick={() => setRevoking(key)}
                  />
                </span>
              </Td>
            </tr>
          ))}
        </Table>
      ) : null}
      {creating ? <NewApiKeyDialog onClose={() => setCreating(false)} /> : null}
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t("settings.keys.revokeTitle", { name: revoking?.name ?? "" })}
        description={t("settings.keys.revokeConfirm")}
        confirmLabel={t("settings.keys.revokeYes")}
        onConfirm={async () => {
          if (revoking) await deleteApiKey(revoking.id);
          await queryClient.invalidateQueries({ queryKey: apiKeyKeys.all });
        }}
      />
    </>
  );
}
