import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button";
import { backdropClass } from "./backdrop";
import { cx } from "./cx";
import type { DialogProps } from "./Dialog";

const widths = { sm: "max-w-md", md: "max-w-lg", lg: "max-w-3xl", xl: "max-w-5xl" };

export default function DialogPopup({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  size = "sm",
  initialFocus,
  dismissible = true,
  reading = false,
}: DialogProps) {
  const { t } = useTranslation();
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(next, details) => {
        if (next) return;
        if (!dismissible && details.reason === "escape-key") return;
        onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          {...(initialFocus ? { initialFocus } : {})}
          className={cx(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col",
            "rounded-xl border border-line bg-surface shadow-3 outline-none",
            "transition-[opacity,scale] duration-150 data-ending-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0",
            widths[size],
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold break-words">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1 text-sm break-words text-muted" render={<div />}>
                  {description}
                </Base.Description>
              ) : null}
            </div>
            {dismissible ? (
              <IconButton
                label={t("common.close")}
                icon={<X className="size-4" />}
                size="sm"
                tooltip={false}
                onClick={onClose}
              />
            ) : null}
          </div>
          {children ? (
            <div
              className="scroll-thin min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-4"
              {...(reading ? { role: "group", tabIndex: 0, "aria-label": title } : {})}
            >
              {children}
            </div>
          ) : null}
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
