import { hueOf } from "@/ui/hue";

/** A provider's initials on its own colour. */
export function ProviderDot({ name }: { name: string }) {
  const initials = name
    .split(/[\s-]+/)
    .filter((word) => /\p{L}/u.test(word))
    .slice(0, 2)
    .map((word) => word[0])
    .join("");
  return (
    <span
      aria-hidden="true"
      className="flex size-4.5 shrink-0 items-center justify-center rounded-sm text-[9px] font-semibold text-ink"
      style={{ background: `hsl(${hueOf(name)} 70% 50% / 0.18)` }}
    >
      {initials || "?"}
    </span>
  );
}
