import { useTranslation } from "react-i18next";
import { fullTime, relativeTime } from "./time";
import { useNow } from "./useNow";

export function RelativeTime({ value }: { value: string }) {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <time dateTime={value} title={fullTime(value, i18n.language)}>
      {relativeTime(value, now, i18n.language)}
    </time>
  );
}
