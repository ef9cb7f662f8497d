import { useTranslation } from "react-i18next";
import { isLanguage, type Language, languages } from "@/i18n";
import { setPreference, usePreferences } from "@/stores/preferences";
import { PageHeader } from "@/ui/Page";
import { Choices } from "./Choices";
import { Section } from "./Section";

export default function LanguagePage() {
  const { t, i18n } = useTranslation();
  const chosen = usePreferences((state) => state.language);
  const current: Language = chosen ?? (isLanguage(i18n.language) ? i18n.language : "en");
  return (
    <>
      <PageHeader title={t("settings.language.title")} description={t("settings.language.hint")} />
      <Section title={t("settings.language.title")}>
        <Choices
          label={t("settings.language.title")}
          value={current}
          onChange={(value) => setPreference("language", value)}
          options={Object.entries(languages).map(([value, label]) => ({
            value: value as Language,
            label,
            lang: value,
          }))}
        />
      </Section>
    </>
  );
}
