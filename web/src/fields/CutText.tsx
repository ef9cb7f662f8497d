import { useTranslation } from "react-i18next";
import { cx } from "@/ui/cx";
import { takeFocus } from "./box";
import type { ControlProps } from "./props";

const SHOWN = 240;

/** The beginning of a text that is too long to edit in place. */
export function CutText({
  text,
  label,
  shape,
  focused = false,
  onOpen,
}: Pick<ControlProps, "label" | "shape"> & {
  text: string;
  /** It takes the place of an input that had the focus. */
  focused?: boolean;
  onOpen: () => void;
}) {
  const { t, i18n } = useTranslation();
  const size = new Intl.NumberFormat(i18n.language, { notation: "compact" }).format(text.length);
  return (
    <button
      ref={focused ? takeFocus : null}
      type="button"
      title={t("fields.editorHint")}
      className="flex h-full min-w-0 flex-1 items-start gap-2 px-2 py-1 text-left"
      onClick={onOpen}
    >
      <span className="sr-only">{t("fields.openEditor", { name: label })}</span>
      <span className={cx("min-w-0 flex-1 break-all", shape === "tall" ? "line-clamp-2" : "truncate")}>
        {text.slice(0, SHOWN).replace(/\s+/g, " ")}…
      </span>
      <span className="shrink-0 text-2xs text-muted">{t("fields.characters", { size })}</span>
    </button>
  );
}
