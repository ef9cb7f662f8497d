import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { BrainCircuit, CircleUser, Info, Keyboard, KeyRound, Languages, SunMoon, Users, Variable } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "@/api/session";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";

const pages = [
  { to: "/settings/profile", label: "settings.profile.title", icon: CircleUser, admin: false },
  { to: "/settings/models", label: "models.title", icon: BrainCircuit, admin: false },
  { to: "/settings/variables", label: "settings.variables.title", icon: Variable, admin: false },
  { to: "/settings/api-keys", label: "settings.keys.title", icon: KeyRound, admin: false },
  { to: "/settings/users", label: "settings.users.title", icon: Users, admin: true },
  { to: "/settings/appearance", label: "settings.appearance.title", icon: SunMoon, admin: false },
  { to: "/settings/language", label: "settings.language.title", icon: Languages, admin: false },
  { to: "/settings/shortcuts", label: "settings.shortcuts.title", icon: Keyboard, admin: false },
  { to: "/settings/about", label: "settings.about.title", icon: Info, admin: false },
] as const;

export default function SettingsLayout() {
  const { t } = useTranslation();
  const admin = useQuery(sessionQuery).data?.user?.is_superuser ?? false;
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, "") });
  const shown = pages.filter((page) => !page.admin || admin);
  const current = shown.find((page) => page.to === path);
  const title = current ? t(current.label) : t("settings.title");
  const nav = useRef<HTMLElement>(null);
  useTitle(current ? `${title} · ${t("settings.title")}` : title);

  useEffect(() => {
    // On a phone the pages are one row that scrolls sideways.
    nav.current?.querySelector(`[href="${path}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);

  return (
    <main className="scroll-thin min-h-0 flex-1 overflow-y-auto">
      <TopBarTitle>
        <Breadcrumbs
          items={[
            { label: t("settings.title"), to: "/settings/profile" },
            ...(current ? [{ label: title }] : []),
          ]}
        />
      </TopBarTitle>
      <div className="mx-auto flex max-w-5xl flex-col gap-x-8 px-4 pt-4 pb-16 sm:px-6 md:flex-row md:pt-6">
        <nav ref={nav} aria-label={t("settings.title")} className="shrink-0 max-md:mb-4 md:w-48">
          <ul className="flex gap-0.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:pb-1 md:sticky md:top-6 md:flex-col">
            {shown.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="flex h-8 items-center gap-2 rounded-md px-2 whitespace-nowrap text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  <Icon aria-hidden="true" className="size-4" />
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0 flex-1">
          <Outlet />
        </div>
      </div>
    </main>
  );
}
