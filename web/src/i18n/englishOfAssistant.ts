import i18next from "i18next";
import assistant from "./en/assistant.json";

/** Texts of the assistant's panel, which comes when it is first opened. The panel imports this file, which adds them. */
export const englishOfAssistant = { assistant };

// Before that there is nothing to add to: a test may read the texts alone.
if (i18next.isInitialized) i18next.addResourceBundle("en", "translation", englishOfAssistant, true, true);
