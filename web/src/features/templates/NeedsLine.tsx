import { useQuery } from "@tanstack/react-query";
import { Check, FileText, Globe, KeyRound, Sparkles, Workflow } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/models";
import type { ProviderModels } from "@/api/types";
import { type Needs, worksOffline } from "@/flow/needs";
import { Badge } from "@/ui/Badge";

const icon = "size-3 shrink-0";

/** What a template needs, and whether that is there already. */
export function NeedsLine({ needs }: { needs: Needs }) {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery).data ?? [];
  const known = new Map(providers.map((each) => [each.provider, each]));
  const rehearses = needs.providers.some((name) => known.get(name)?.is_rehearsal);
  const real = needs.providers.filter((name) => !known.get(name)?.is_rehearsal);
  return (
    <ul aria-label={t("templates.needs")} className="flex flex-wrap gap-1">
      {worksOffline(needs, providers) ? (
        <Item tone="ok" icon={<Check aria-hidden="true" className={icon} />}>
          {t("templates.offline")}
        </Item>
      ) : null}
      {rehearses || needs.anyModel ? (
        <Item icon={<Sparkles aria-hidden="true" className={icon} />}>{t("templates.needsModel")}</Item>
      ) : null}
      {real.map((name) => (
        <Provider key={name} name={name} provider={known.get(name)} />
      ))}
      {needs.variables.map((name) => (
        <Item key={name} icon={<KeyRound aria-hidden="true" className={icon} />}>
          {t("templates.needsVariable", { name })}
        </Item>
      ))}
      {needs.secrets.map(({ node, field }) => (
        <Item key={`${node} ${field}`} icon={<KeyRound aria-hidden="true" className={icon} />}>
          {t("templates.needsSecret", { node, field })}
        </Item>
      ))}
      {needs.files.length > 0 ? (
        <Item icon={<FileText aria-hidden="true" className={icon} />}>{t("templates.needsFile")}</Item>
      ) : null}
      {needs.web ? (
        <Item icon={<Globe aria-hidden="true" className={icon} />}>{t("templates.needsWeb")}</Item>
      ) : null}
      {needs.flows.map((name) => (
        <Item key={name} icon={<Workflow aria-hidden="true" className={icon} />}>
          {t("templates.needsFlow", { name })}
        </Item>
      ))}
    </ul>
  );
}

function Provider({ name, provider }: { name: string; provider: ProviderModels | undefined }) {
  const { t } = useTranslation();
  const there = provider?.is_configured === true;
  const Icon = there ? Check : KeyRound;
  // Some providers are asked for an address and no key.
  const keyed = provider?.variables.some((variable) => variable.is_secret && variable.required) ?? true;
  return (
    <Item tone={there ? "ok" : "neutral"} icon={<Icon aria-hidden="true" className={icon} />}>
      {there
        ? t("templates.hasProvider", { name })
        : keyed
          ? t("templates.needsKey", { name })
          : t("templates.needsProvider", { name })}
    </Item>
  );
}

function Item({
  icon,
  tone = "neutral",
  children,
}: {
  icon: ReactNode;
  tone?: "ok" | "neutral";
  children: ReactNode;
}) {
  return (
    <li className="flex min-w-0">
      <Badge tone={tone}>
        {icon}
        <span className="min-w-0 truncate">{children}</span>
      </Badge>
    </li>
  );
}
