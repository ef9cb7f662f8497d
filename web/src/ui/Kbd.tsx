import { Fragment } from "react";
import { keyLabels } from "./keys";

/** Keys as written in stores/shortcutList.ts: "mod+k", "shift+s", "?". Nothing where there are none. */
export function Kbd({ keys }: { keys: string }) {
  if (!keys) return null;
  return (
    <kbd className="inline-flex gap-0.5 font-sans text-2xs text-muted">
      {keyLabels(keys).map((label, index) => (
        <Fragment key={label}>
          {/* Not drawn; without it the keys are read as one word. */}
          {index > 0 ? " " : null}
          <span className="min-w-5 rounded-sm border border-line bg-sunken px-1 text-center leading-[18px]">
            {label}
          </span>
        </Fragment>
      ))}
    </kbd>
  );
}
