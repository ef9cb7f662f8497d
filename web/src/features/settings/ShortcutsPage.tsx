import { useTranslation } from "react-i18next";
import { shortcutGroups } from "@/stores/shortcuts";
import { PageHeader } from "@/ui/Page";
import { ShortcutList } from "@/ui/ShortcutList";

export default function ShortcutsPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("settings.shortcuts.title")} description={t("shell.shortcutsHint")} />
      <div className="rounded-lg border border-line bg-surface p-4 sm:p-5">
        <ShortcutList groups={shortcutGroups((key) => t(key as "shell.shortcuts"))} />
      </div>
    </>
  );
}
