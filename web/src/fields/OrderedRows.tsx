import { useTranslation } from "react-i18next";
import { moveItem, removeAt } from "@/flow/values/lists";
import { RowButtons } from "./RowButtons";

/** Names in an order that can be changed. */
export function OrderedRows({
  items,
  readOnly,
  onChange,
}: {
  items: readonly string[];
  readOnly: boolean;
  onChange: (items: string[]) => void;
}) {
  const { t } = useTranslation();
  return (
    <ol aria-label={t("fields.list.order")} className="mt-1 space-y-0.5">
      {items.map((item, index) => (
        <li key={`${index}${item}`} className="flex items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
          <span className="min-w-0 flex-1 truncate">{item}</span>
          {readOnly ? null : (
            <RowButtons
              name={item}
              index={index}
              count={items.length}
              onMove={(to) => onChange(moveItem(items, index, to))}
              onRemove={() => onChange(removeAt(items, index))}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
