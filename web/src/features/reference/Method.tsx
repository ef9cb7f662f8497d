import { cx } from "@/ui/cx";

const tones: Record<string, string> = {
  get: "bg-accent-soft text-accent",
  post: "bg-ok-soft text-ok",
  put: "bg-warn-soft text-warn",
  patch: "bg-warn-soft text-warn",
  delete: "bg-danger-soft text-danger",
};

export function Method({ method }: { method: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-5 w-14 shrink-0 items-center justify-center rounded-sm font-mono text-2xs font-semibold",
        tones[method] ?? "bg-sunken text-muted",
      )}
    >
      {method.toUpperCase()}
    </span>
  );
}
