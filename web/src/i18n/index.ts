import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { english } from "./english";

export const languages = { en: "English", pt: "Português", ko: "한국어" } as const;
export type Language = keyof typeof languages;

export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(languages, value);
}

export function preferredLanguage(offered: readonly string[]): Language {
  for (const tag of offered) {
    const base = tag.toLowerCase().split("-")[0];
    if (isLanguage(base)) return base;
  }
  return "en";
}

const loaders: Record<Exclude<Language, "en">, () => Promise<{ default: object }>> = {
  pt: () => import("./portuguese"),
  ko: () => import("./korean"),
};

export async function startI18n(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: english } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  if (language !== "en") await switchLanguage(language);
}

export async function switchLanguage(language: Language): Promise<void> {
  if (language !== "en" && !i18next.hasResourceBundle(language, "translation")) {
    const bundle = await loaders[language]();
    i18next.addResourceBundle(language, "translation", bundle.default);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
