import { useTranslation } from "react-i18next";
import { setPreference, usePreferences } from "@/stores/preferences";
import { PageHeader } from "@/ui/Page";
import { Choices } from "./Choices";
import { Section } from "./Section";
import { ThemePicture } from "./ThemePicture";

export default function AppearancePage() {
  const { t } = useTranslation();
  const { theme, density, motion } = usePreferences();
  return (
    <>
      <PageHeader title={t("settings.appearance.title")} description={t("settings.appearance.hint")} />
      <Section title={t("shell.theme")}>
        <Choices
          label={t("shell.theme")}
          value={theme}
          onChange={(value) => setPreference("theme", value)}
          options={[
            { value: "system", label: t("shell.themeSystem"), picture: <ThemePicture theme="system" /> },
            { value: "light", label: t("shell.themeLight"), picture: <ThemePicture theme="light" /> },
            { value: "dark", label: t("shell.themeDark"), picture: <ThemePicture theme="dark" /> },
          ]}
        />
      </Section>
      <Section title={t("settings.appearance.density")} description={t("settings.appearance.densityHint")}>
        <Choices
          label={t("settings.appearance.density")}
          value={density}
          onChange={(value) => setPreference("density", value)}
          options={[
            { value: "comfortable", label: t("settings.appearance.comfortable") },
            { value: "compact", label: t("settings.appearance.compact") },
          ]}
        />
      </Section>
      <Section title={t("settings.appearance.motion")} description={t("settings.appearance.motionHint")}>
        <Choices
          label={t("settings.appearance.motion")}
          value={motion}
          onChange={(value) => setPreference("motion", value)}
          options={[
            { value: "system", label: t("shell.themeSystem") },
            { value: "reduced", label: t("settings.appearance.reduced") },
          ]}
        />
      </Section>
    </>
  );
}
