import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookOpen, FileText, Keyboard, LogOut, Monitor, Moon, Settings, Sun, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { configQuery, sessionQuery } from "@/api/session";
import { openShortcutSheet } from "@/stores/intents";
import { setPreference, type Theme, usePreferences } from "@/stores/preferences";
import { useKeys } from "@/stores/shortcuts";
import { Avatar } from "@/ui/Avatar";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "@/ui/Menu";

const themeIcons = { system: <Monitor />, light: <Sun />, dark: <Moon /> };

export function UserMenu({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const sheetKeys = useKeys("shortcutSheet");
  const user = useQuery(sessionQuery).data?.user;
  const config = useQuery(configQuery).data;
  const theme = usePreferences((state) => state.theme);
  const name = user?.username ?? "";
  // Alone on one's own machine and without a password there is nothing to sign out of.
  const canLeave = user?.has_password || !config?.auto_login;

  return (
    <Menu
      trigger={
        <button type="button" aria-label={t("shell.userMenu", { name })} className="shrink-0 rounded-full">
          <Avatar name={name} image={user?.profile_image ?? null} />
        </button>
      }
    >
      <div className="max-w-64 px-2 pt-1 pb-2">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-muted">
          {user?.is_superuser ? t("shell.roleAdmin") : t("shell.roleUser")}
        </p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<Settings />} onSelect={() => void navigate({ to: "/settings/profile" })}>
        {t("shell.settings")}
      </MenuItem>
      <MenuItem icon={<FileText />} onSelect={() => void navigate({ to: "/files" })}>
        {t("shell.files")}
      </MenuItem>
      <MenuItem icon={<Trash2 />} onSelect={() => void navigate({ to: "/trash" })}>
        {t("shell.trash")}
      </MenuItem>
      <SubMenu icon={themeIcons[theme]} label={t("shell.theme")}>
        <MenuRadioGroup<Theme>
          value={theme}
          onChange={(value) => setPreference("theme", value)}
          options={[
            { value: "system", label: t("shell.themeSystem") },
            { value: "light", label: t("shell.themeLight") },
            { value: "dark", label: t("shell.themeDark") },
          ]}
        />
      </SubMenu>
      <MenuItem
        icon={<Keyboard />}
        shortcut={sheetKeys}
        onSelect={() => openShortcutSheet(true)}
      >
        {t("shell.shortcuts")}
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => void navigate({ to: "/docs" })}>
        {t("shell.apiReference")}
      </MenuItem>
      {canLeave ? (
        <>
          <MenuSeparator />
          <MenuItem icon={<LogOut />} onSelect={onSignOut}>
            {t("shell.signOut")}
          </MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
