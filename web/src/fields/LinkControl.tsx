import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { scalarText, text } from "@/flow/json";
import { safeHref } from "@/flow/preview";
import { cx } from "@/ui/cx";
import { boxClass } from "./box";
import type { ControlProps } from "./props";
import { TextControl } from "./TextControl";

/** A link is there to be followed; a field without one takes its address. */
export function LinkControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label } = props;
  const href = safeHref(field.value);
  if (href === null) return <TextControl {...props} />;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={t("fields.link.open", { name: label })}
      className={cx(boxClass(props), "gap-1.5 px-2 text-accent hover:underline")}
    >
      <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">{label}</span>
      <span className="truncate">{text(raw.text) || scalarText(field.value)}</span>
    </a>
  );
}
