import { FlaskConical, Group, History, Snowflake, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CARD } from "@/flow/card";
import type { Badges, FlowNode } from "@/flow/model";
import { NodeIcon } from "../icons/NodeIcon";

export function CardHeader({ node, badges, group }: { node: FlowNode; badges?: Badges; group?: boolean }) {
  return (
    <div>
      <div className="flex items-center gap-2 pr-3 pl-4" style={{ height: CARD.header }}>
        <NodeIcon name={node.icon} className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate text-sm font-semibold">{node.title}</span>
        <HeaderBadges badges={badges} group={group ?? false} />
      </div>
      {node.description === "" ? null : (
        <p
          className="-mt-2 truncate pr-3 pl-4 text-muted"
          style={{ height: CARD.description + 8 }}
          title={node.description}
        >
          {node.description}
        </p>
      )}
    </div>
  );
}

function HeaderBadges({ badges, group }: { badges: Badges | undefined; group: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="flex shrink-0 items-center gap-1">
      {group ? <Sign icon={<Group />} label={t("flow.badge.group")} /> : null}
      {badges?.frozen ? (
        <Sign icon={<Snowflake />} label={t("flow.badge.frozen")} tone="text-accent" />
      ) : null}
      {badges?.toolMode ? <Sign icon={<Wrench />} label={t("flow.badge.tool")} /> : null}
      {badges?.beta ? <Sign icon={<FlaskConical />} label={t("flow.badge.beta")} text /> : null}
      {badges?.legacy ? (
        <Sign icon={<History />} label={t("flow.badge.legacy")} tone="text-warn" text />
      ) : null}
    </span>
  );
}

function Sign({
  icon,
  label,
  tone,
  text,
}: {
  icon: ReactNode;
  label: string;
  tone?: string;
  text?: boolean;
}) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`flex h-5 items-center gap-1 rounded-full bg-sunken px-1.5 text-2xs font-medium *:[svg]:size-3 ${tone ?? "text-muted"}`}
    >
      {icon}
      {text ? label : null}
    </span>
  );
}
