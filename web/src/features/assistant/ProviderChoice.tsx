import { useQuery } from "@tanstack/react-query";
import { Check, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/models";
import { ProviderDot } from "@/fields/ProviderDot";
import { openModelProvider } from "@/stores/intents";
import { Badge } from "@/ui/Badge";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";

/** Which provider is to be set up; the page stays where it is. */
export function ProviderChoice({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={t("assistant.panel.providers")}
      description={t("assistant.panel.providersText")}
    >
      {open ? <Providers onClose={onClose} /> : null}
    </Dialog>
  );
}

function Providers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(providersQuery);
  if (query.isPending) return <SkeletonRows rows={4} label={t("common.loading")} />;
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <ul className="-mx-2">
      {query.data
        .filter((provider) => !provider.is_rehearsal)
        .map(({ provider, description, is_configured }) => (
          <li key={provider}>
            <button
              type="button"
              className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-hover"
              onClick={() => {
                onClose();
                openModelProvider(provider);
              }}
            >
              <ProviderDot name={provider} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{provider}</span>
                <span className="block truncate text-xs text-muted">{description}</span>
              </span>
              {is_configured ? (
                <Badge tone="ok">
                  <Check aria-hidden="true" className="size-3" />
                  {t("assistant.panel.providerReady")}
                </Badge>
              ) : null}
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
            </button>
          </li>
        ))}
    </ul>
  );
}
