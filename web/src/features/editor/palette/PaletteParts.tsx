import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { WireFilter } from "@/flow/palette";
import { IconButton } from "@/ui/Button";
import { Skeleton } from "@/ui/Skeleton";
import { startDrag } from "./dragImage";
import { TypeDot } from "./TypeDot";

export function Waiting() {
  return (
    <div className="space-y-2 pt-1" aria-hidden="true">
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className="h-6 w-full" />
      ))}
    </div>
  );
}

export function FilterLine({ filter, onClear }: { filter: WireFilter; onClear: (() => void) | undefined }) {
  const { t } = useTranslation();
  const types = filter.types.join(", ");
  return (
    <div className="mx-2 mb-2 flex items-center gap-1.5 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-xs">
      {filter.types[0] ? <TypeDot type={filter.types[0]} /> : null}
      <span className="min-w-0 flex-1 truncate">
        {filter.side === "out" ? t("palette.takes", { types }) : t("palette.gives", { types })}
      </span>
      {onClear ? (
        <IconButton
          size="sm"
          tooltip={false}
          label={t("palette.clearFilter")}
          icon={<X className="size-3.5" />}
          onClick={onClear}
        />
      ) : null}
    </div>
  );
}

export function Pinned({
  icon,
  label,
  type,
  onAdd,
}: {
  icon: ReactNode;
  label: string;
  type: string;
  onAdd: () => void;
}) {
  return (
    <div
      role="button"
      tabIndex={0}
      draggable
      className="flex h-8 cursor-grab items-center gap-2 rounded-md px-2 text-xs hover:bg-hover"
      onClick={onAdd}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onAdd();
      }}
      onDragStart={(event) => startDrag(event, type, label)}
    >
      {icon}
      {label}
    </div>
  );
}
