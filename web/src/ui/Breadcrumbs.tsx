import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

export interface Crumb {
  label: string;
  to?: string;
}

export function Breadcrumbs({ items }: { items: readonly Crumb[] }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("common.breadcrumbs")} className="min-w-0">
      <ol className="flex min-w-0 items-center text-sm">
        {items.map((item, index) => (
          <li key={item.label} className="flex min-w-0 items-center">
            <span aria-hidden="true" className="px-1.5 text-line-strong">
              /
            </span>
            {item.to && index < items.length - 1 ? (
              <Link to={item.to} className="truncate rounded-sm text-muted hover:text-ink">
                {item.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium">
                {item.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
