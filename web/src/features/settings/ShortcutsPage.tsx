import { RotateCcw, Search, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { resetAll, shortcutGroups, type ShortcutGroupRows, useShortcuts } from "@/stores/shortcuts";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { Input } from "@/ui/Field";
import { keyLabels } from "@/ui/keys";
import { PageHeader } from "@/ui/Page";
import { Table, Th } from "@/ui/Table";
import { ShortcutRow } from "./ShortcutRow";

/** By name, by group, or by keys as they are printed: "ctrl k", "Ctrl+K". */
function found(groups: readonly ShortcutGroupRows[], search: string): ShortcutGroupRows[] {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s+]/g, "");
  const wanted = search.trim();
  if (!wanted) return [...groups];
  const fits = (text: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());
  const pressed = (keys: string): boolean => plain(keyLabels(keys).join("")) === plain(wanted) || keys === wanted;
  return groups.flatMap((group) => {
    const rows = fits(group.title)
      ? group.rows
      : group.rows.filter((row) => fits(row.label) || row.keys.some(pressed));
    return rows.length > 0 ? [{ ...group, rows }] : [];
  });
}

export default function ShortcutsPage() {
  const { t } = useTranslation();
  const overrides = useShortcuts((state) => state.overrides);
  const [search, setSearch] = useState("");
  const [resetting, setResetting] = useState(false);
  const groups = shortcutGroups(overrides, (key) => t(key as "shell.shortcuts"));
  const shown = found(groups, search);
  const changed = groups.some((group) => group.rows.some((row) => row.changed));
  return (
    <>
      <PageHeader
        title={t("settings.shortcuts.title")}
        description={t("settings.shortcuts.hint")}
        actions={
          <Button
            icon={<RotateCcw aria-hidden="true" className="size-4" />}
            disabled={!changed}
            onClick={() => setResetting(true)}
          >
            {t("settings.shortcuts.resetAll")}
          </Button>
        }
      />
      <div className="relative mb-4 sm:max-w-80">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <Input
          type="search"
          aria-label={t("settings.shortcuts.search")}
          placeholder={t("settings.shortcuts.search")}
          value={search}
          className="pl-8"
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title={t("settings.shortcuts.noMatchTitle")}
          actions={<Button onClick={() => setSearch("")}>{t("settings.shortcuts.clear")}</Button>}
        >
          {t("settings.shortcuts.noMatch", { search })}
        </EmptyState>
      ) : null}
      <div className="space-y-6">
        {shown.map((group) => (
          <section key={group.group} aria-labelledby={`shortcuts-${group.group}`}>
            <h2 id={`shortcuts-${group.group}`} className="mb-2 text-sm font-semibold">
              {group.title}
            </h2>
            <Table
              label={group.title}
              head={
                <>
                  <Th>{t("settings.shortcuts.action")}</Th>
                  <Th>{t("settings.shortcuts.keys")}</Th>
                  <Th hidden>{t("settings.actions")}</Th>
                </>
              }
            >
              {group.rows.map((row) => (
                <ShortcutRow key={row.id} row={row} />
              ))}
            </Table>
          </section>
        ))}
      </div>
      <ConfirmDialog
        open={resetting}
        onClose={() => setResetting(false)}
        title={t("settings.shortcuts.resetAllTitle")}
        description={t("settings.shortcuts.resetAllConfirm")}
        confirmLabel={t("settings.shortcuts.resetAll")}
        onConfirm={resetAll}
      />
    </>
  );
}
