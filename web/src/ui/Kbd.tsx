import { keyLabels } from "./keys";

/** Keys as written in stores/shortcuts.ts: "mod+k", "shift+s", "?". */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex gap-0.5 font-sans text-2xs text-muted">
      {keyLabels(keys).map((label) => (
        <span
          key={label}
          className="min-w-5 rounded-sm border border-line bg-sunken px-1 text-center leading-[18px]"
        >
          {label}
        </span>
      ))}
    </kbd>
  );
}
