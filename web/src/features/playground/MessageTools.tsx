import { Check, Copy, Pencil, RefreshCw, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChatMessage } from "@/flow/messages";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/copyText";
import { cx } from "@/ui/cx";
import { toastError } from "@/ui/toastError";
import type { MessageActions } from "./useMessageActions";

const iconClass = "size-3.5";

export function MessageTools({
  message,
  actions,
  repeatable,
  onEdit,
}: {
  message: ChatMessage;
  actions: MessageActions;
  /** It is the newest answer: the flow can be asked for another. */
  repeatable: boolean;
  onEdit: () => void;
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className="ml-auto flex">
      <Tool
        label={copied ? t("common.copied") : t("common.copy")}
        icon={copied ? <Check className={iconClass} /> : <Copy className={iconClass} />}
        onPress={() => void copyText(message.text).then(() => setCopied(true), toastError)}
      />
      {repeatable ? (
        <Tool
          label={t("playground.regenerate")}
          icon={<RefreshCw className={iconClass} />}
          onPress={actions.again}
        />
      ) : null}
      {message.fromPerson ? null : (
        <>
          <Thumb message={message} actions={actions} liked />
          <Thumb message={message} actions={actions} liked={false} />
        </>
      )}
      <Tool label={t("playground.edit")} icon={<Pencil className={iconClass} />} onPress={onEdit} />
      {actions.remove ? (
        <Tool
          label={t("playground.delete")}
          icon={<Trash2 className={iconClass} />}
          onPress={() => void actions.remove?.(message).catch(toastError)}
        />
      ) : null}
    </span>
  );
}

function Thumb({ message, actions, liked }: { message: ChatMessage; actions: MessageActions; liked: boolean }) {
  const { t } = useTranslation();
  const pressed = message.liked === liked;
  const Icon = liked ? ThumbsUp : ThumbsDown;
  return (
    <Tool
      label={liked ? t("playground.like") : t("playground.dislike")}
      pressed={pressed}
      icon={<Icon className={cx(iconClass, pressed && "fill-current")} />}
      onPress={() => void actions.like(message, pressed ? null : liked)}
    />
  );
}

/** In sight while its message is pointed at or has the focus, and always where it says something itself. */
function Tool({
  label,
  icon,
  pressed,
  onPress,
}: {
  label: string;
  icon: ReactNode;
  pressed?: boolean;
  onPress: () => void;
}) {
  return (
    <IconButton
      size="sm"
      label={label}
      icon={icon}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      className={
        pressed
          ? "text-accent"
          : "opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100"
      }
      onClick={onPress}
    />
  );
}
