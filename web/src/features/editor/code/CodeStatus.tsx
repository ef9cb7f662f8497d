import { Box, CircleAlert, CircleCheck, TriangleAlert, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { codeBytes, componentClasses, MOST_CODE } from "@/flow/ownCode";
import { Badge } from "@/ui/Badge";
import { explainError } from "@/ui/explainError";
import { Spinner } from "@/ui/Spinner";
import type { Checked } from "./useCodeCheck";

/** The class that makes the component, and where it runs. */
export function CodeClass({ code, checked }: { code: string; checked: Checked }) {
  const { t } = useTranslation();
  const classes = componentClasses(code);
  const name = checked.check?.className ?? classes.at(-1) ?? null;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
      {name === null ? (
        <span className="flex items-center gap-1.5 text-warn">
          <TriangleAlert aria-hidden="true" className="size-3.5" />
          {t("code.noClass")}
        </span>
      ) : (
        <span>
          {t("code.class")} <code className="font-mono text-ink">{name}</code>
        </span>
      )}
      {classes.length > 1 ? <span className="text-warn">{t("code.classes", { count: classes.length })}</span> : null}
      <Badge>
        <Box aria-hidden="true" className="size-3" />
        {t("code.sandbox")}
      </Badge>
    </span>
  );
}

/** How the check of what is typed stands. */
export function CodeStatus({
  code,
  checked,
  count,
  errors,
}: {
  code: string;
  checked: Checked;
  count: number;
  errors: boolean;
}) {
  return (
    <p role="status" className="flex min-h-7 shrink-0 items-center gap-1.5 px-2 text-xs text-muted *:[svg]:size-3.5 *:[svg]:shrink-0">
      <StatusText code={code} checked={checked} count={count} errors={errors} />
    </p>
  );
}

function StatusText({
  code,
  checked: { state, error },
  count,
  errors,
}: {
  code: string;
  checked: Checked;
  count: number;
  errors: boolean;
}): ReactNode {
  const { t, i18n } = useTranslation();
  if (state === "too_large") {
    const format = new Intl.NumberFormat(i18n.language);
    const size = format.format(Math.ceil(codeBytes(code) / 1024));
    return (
      <>
        <CircleAlert aria-hidden="true" className="text-danger" />
        {t("editor.code.tooLarge", { size, most: format.format(MOST_CODE / 1024) })}
      </>
    );
  }
  if (state === "checking")
    return (
      <>
        <Spinner />
        {t("code.checking")}
      </>
    );
  if (state === "offline")
    return (
      <>
        <WifiOff aria-hidden="true" className="text-warn" />
        {t("code.offline")}
      </>
    );
  if (state === "failed")
    return (
      <>
        <TriangleAlert aria-hidden="true" className="text-warn" />
        {t("code.notChecked", { reason: explainError(error, t).sentence })}
      </>
    );
  if (count === 0)
    return (
      <>
        <CircleCheck aria-hidden="true" className="text-ok" />
        {t("code.sound")}
      </>
    );
  const Sign = errors ? CircleAlert : TriangleAlert;
  return (
    <>
      <Sign aria-hidden="true" className={errors ? "text-danger" : "text-warn"} />
      {t("code.found", { count })}
    </>
  );
}
