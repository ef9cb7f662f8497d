import { useTranslation } from "react-i18next";
import { cx } from "@/ui/cx";

const SHOWN = 3;

/** What is chosen, on one line. */
export function ChipLine({
  items,
  empty,
  plain = false,
}: {
  items: readonly string[];
  empty: string;
  plain?: boolean;
}) {
  const { t } = useTranslation();
  if (items.length === 0) return <span className="min-w-0 flex-1 truncate text-faint">{empty}</span>;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1 overflow-hidden" title={items.slice(0, 20).join(", ")}>
      {items.slice(0, SHOWN).map((item, index) => (
        <span key={`${index}${item}`} className={cx("truncate", !plain && "rounded-sm bg-sunken px-1.5")}>
          {item.slice(0, 80)}
        </span>
      ))}
      {items.length > SHOWN ? (
        <span className="shrink-0 text-muted">{t("flow.value.more", { count: items.length - SHOWN })}</span>
      ) : null}
    </span>
  );
}
