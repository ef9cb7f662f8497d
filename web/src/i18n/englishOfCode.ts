import i18next from "i18next";
import code from "./en/code.json";

/** Texts of the code editor, which comes when it is first opened. What opens it imports this file, which adds them. */
export const englishOfCode = { code };

// Before that there is nothing to add to: a test may read the texts alone.
if (i18next.isInitialized) i18next.addResourceBundle("en", "translation", englishOfCode, true, true);
