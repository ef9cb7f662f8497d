import { Workflow } from "lucide-react";
import type { CSSProperties } from "react";
import type { FlowHeader } from "@/api/types";
import { cx } from "@/ui/cx";
import { hueOf } from "@/ui/hue";

const emoji = /^\p{Extended_Pictographic}/u;

export function FlowTile({ flow, className }: { flow: FlowHeader; className?: string }) {
  const hue = hueOf(flow.icon_bg_color ?? flow.id);
  return (
    <span
      aria-hidden="true"
      style={{ "--hue": hue } as CSSProperties}
      className={cx("tinted flex size-8 shrink-0 items-center justify-center rounded-lg text-base", className)}
    >
      {flow.icon && emoji.test(flow.icon) ? flow.icon : <Workflow className="size-4" />}
    </span>
  );
}
