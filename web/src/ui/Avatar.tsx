import { cx } from "./cx";
import { hueOf } from "./hue";

/** A picture id is "hue:<0-359>"; anything else falls back to a colour made from the name. */
export function Avatar({ name, image, className }: { name: string; image: string | null; className?: string }) {
  const chosen = /^hue:(\d{1,3})$/.exec(image ?? "")?.[1];
  const hue = chosen ? Number(chosen) % 360 : hueOf(name);
  return (
    <span
      aria-hidden="true"
      style={{ "--hue": hue } as React.CSSProperties}
      className={cx(
        "tinted flex size-7 shrink-0 items-center justify-center rounded-full text-xs font-semibold uppercase select-none",
        className,
      )}
    >
      {[...name][0] ?? "?"}
    </span>
  );
}
