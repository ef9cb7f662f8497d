import { useTranslation } from "react-i18next";
import { openShortcutSheet, useIntents } from "@/stores/intents";
import { shortcutGroups, useShortcuts } from "@/stores/shortcuts";
import { Dialog } from "@/ui/Dialog";
import { ShortcutList } from "@/ui/ShortcutList";

export function ShortcutSheet() {
  const { t } = useTranslation();
  const open = useIntents((state) => state.shortcutSheet);
  const overrides = useShortcuts((state) => state.overrides);
  return (
    <Dialog
      open={open}
      onClose={() => openShortcutSheet(false)}
      title={t("shell.shortcuts")}
      description={t("shell.shortcutsHint")}
      size="lg"
      reading
    >
      <ShortcutList
        groups={shortcutGroups(overrides, (key) => t(key as "shell.shortcuts"))}
        none={t("shell.noKeys")}
      />
    </Dialog>
  );
}
