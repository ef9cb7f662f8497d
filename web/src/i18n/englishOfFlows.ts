import i18next from "i18next";
import editor from "./en/editor.json";
import fields from "./en/fields.json";
import palette from "./en/palette.json";
import playground from "./en/playground.json";
import reference from "./en/reference.json";
import runs from "./en/runs.json";
import share from "./en/share.json";

/** Texts that the first page has no use for. Routes that show them import this file, which adds them. */
export const englishOfFlows = { editor, fields, palette, playground, reference, runs, share };

// Before that there is nothing to add to: a test may read the texts alone.
if (i18next.isInitialized) i18next.addResourceBundle("en", "translation", englishOfFlows, true, true);
