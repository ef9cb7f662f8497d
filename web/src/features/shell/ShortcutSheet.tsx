import { useTranslation } from "react-i18next";
import { openShortcutSheet, useIntents } from "@/stores/intents";
import { shortcutGroups } from "@/stores/shortcuts";
import { Dialog } from "@/ui/Dialog";
import { ShortcutList } from "@/ui/ShortcutList";

export function ShortcutSheet() {
  const { t } = useTranslation();
  const open = useIntents((state) => state.shortcutSheet);
  return (
    <Dialog
      open={open}
      onClose={() => openShortcutSheet(false)}
      title={t("shell.shortcuts")}
      description={t("shell.shortcutsHint")}
      size="lg"
    >
      <ShortcutList groups={shortcutGroups((key) => t(key as "shell.shortcuts"))} />
    </Dialog>
  );
}
