import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { smallButton } from "./box";

export function RowButtons({
  name,
  index,
  count,
  onMove,
  onRemove,
}: {
  name: string;
  index: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  return (
    <span className="flex shrink-0">
      <button
        type="button"
        className={smallButton}
        disabled={index === 0}
        aria-label={t("fields.list.up", { name })}
        onClick={() => onMove(index - 1)}
      >
        <ArrowUp aria-hidden="true" className="size-3.5" />
      </button>
      <button
        type="button"
        className={smallButton}
        disabled={index === count - 1}
        aria-label={t("fields.list.down", { name })}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDown aria-hidden="true" className="size-3.5" />
      </button>
      <button type="button" className={smallButton} aria-label={t("common.removeTag", { tag: name })} onClick={onRemove}>
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  );
}
