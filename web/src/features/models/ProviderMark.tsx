import { Drama } from "lucide-react";
import { hueOf } from "@/ui/hue";

/** A provider's initials on its own colour: their logos are theirs. */
export function ProviderMark({ name, rehearsal = false }: { name: string; rehearsal?: boolean }) {
  const initials = name
    .split(/[\s-]+/)
    .filter((word) => /[A-Za-z]/.test(word))
    .slice(0, 2)
    .map((word) => word[0])
    .join("");
  return (
    <span
      aria-hidden="true"
      className="flex size-9 shrink-0 items-center justify-center rounded-lg text-sm font-semibold text-ink"
      style={{ background: `hsl(${hueOf(name)} 70% 50% / 0.18)` }}
    >
      {rehearsal ? <Drama className="size-4.5" /> : initials}
    </span>
  );
}
