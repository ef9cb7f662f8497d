import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button";
import { cx } from "./cx";
import { Input } from "./Field";

export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input type={shown ? "text" : "password"} className={cx("pr-9", className)} spellCheck={false} {...rest} />
      <IconButton
        label={shown ? t("common.hideText") : t("common.showText")}
        aria-pressed={shown}
        icon={shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
        size="sm"
        className="absolute top-1/2 right-0.5 -translate-y-1/2"
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}
