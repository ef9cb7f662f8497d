import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./Button";
import { cx } from "./cx";
import { dismissToast, type Toast, useToasts } from "./toasts";

const icons = {
  info: <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />,
  success: <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ok" />,
  error: <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />,
};

/** Mounted once. The region is always in the page, so that screen readers announce what is put into it. */
export function Toaster() {
  const { t } = useTranslation();
  const toasts = useToasts((state) => state.toasts);
  const [paused, setPaused] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only pauses the clock
    <section
      aria-label={t("common.notifications")}
      aria-live="polite"
      aria-relevant="additions text"
      className="pointer-events-none fixed right-4 bottom-4 z-70 flex w-[min(380px,calc(100vw-32px))] flex-col gap-2"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setPaused(false);
      }}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} paused={paused} />
      ))}
    </section>
  );
}

function ToastCard({ toast, paused }: { toast: Toast; paused: boolean }) {
  const { t } = useTranslation();
  const left = useRef(toast.duration);

  useEffect(() => {
    if (paused || left.current === null) return;
    const started = Date.now();
    const timer = setTimeout(() => dismissToast(toast.id), left.current);
    return () => {
      clearTimeout(timer);
      if (left.current !== null) left.current = Math.max(1000, left.current - (Date.now() - started));
    };
  }, [paused, toast.id]);

  return (
    <div
      role={toast.tone === "error" ? "alert" : undefined}
      className={cx(
        "pointer-events-auto flex items-start gap-2.5 rounded-lg border bg-raised py-2 pr-2 pl-3 text-sm shadow-3",
        "transition-[opacity,translate] duration-200 starting:translate-y-2 starting:opacity-0",
        toast.tone === "error" ? "border-danger/50" : "border-line",
      )}
    >
      {icons[toast.tone]}
      {/* A button that does not fit beside the words goes below them. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-end gap-x-2.5 gap-y-2">
        <div className="min-w-0 flex-auto py-px">
          <p className="break-words">{toast.message}</p>
          {toast.detail ? <p className="text-xs break-words text-muted">{toast.detail}</p> : null}
        </div>
        {toast.action ? (
          <Button
            size="sm"
            onClick={() => {
              toast.action?.run();
              dismissToast(toast.id);
            }}
          >
            {toast.action.label}
          </Button>
        ) : null}
      </div>
      <IconButton
        label={t("common.dismiss")}
        icon={<X className="size-3.5" />}
        size="sm"
        tooltip={false}
        onClick={() => dismissToast(toast.id)}
      />
    </div>
  );
}
