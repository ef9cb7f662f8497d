import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/copyText";
import { toastError } from "@/ui/toastError";

/** In sight while its message is pointed at or has the focus. */
export function CopyAnswer({ text }: { text: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      size="sm"
      label={copied ? t("common.copied") : t("assistant.cards.copyAnswer")}
      icon={copied ? <Check className="size-3.5" /> : <Copy className="size-3.5" />}
      className="ml-auto opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100"
      onClick={() => void copyText(text).then(() => setCopied(true), toastError)}
    />
  );
}
