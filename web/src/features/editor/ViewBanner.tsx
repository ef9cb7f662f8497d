import { GitCompare, History } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { VersionEntry } from "@/api/types";
import { Button } from "@/ui/Button";
import { useSideName } from "./useSideName";
import type { Looked } from "./views";

/** Says what is on the canvas: an old version, or two of them at once. */
export function ViewBanner({
  shown,
  onDraft,
  onRestore,
}: {
  shown: Looked;
  onDraft: () => void;
  onRestore: (entry: VersionEntry) => void;
}) {
  const { t } = useTranslation();
  const sideName = useSideName();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-warn/50 bg-warn-soft py-1 pr-1 pl-3 text-sm text-ink"
    >
      {shown.kind === "version" ? (
        <>
          <History aria-hidden="true" className="size-4 text-warn" />
          {t("flow.banner.version", { version: sideName(shown) })}
        </>
      ) : (
        <>
          <GitCompare aria-hidden="true" className="size-4 text-warn" />
          {t("flow.banner.compare", { from: sideName(shown.from), to: sideName(shown.to) })}
        </>
      )}
      <Button size="sm" onClick={onDraft}>
        {t("flow.banner.back")}
      </Button>
      {shown.kind === "version" ? (
        <Button size="sm" variant="primary" onClick={() => onRestore(shown.entry)}>
          {t("flow.banner.restore")}
        </Button>
      ) : null}
    </div>
  );
}
