import { Link, useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ariaKeys } from "@/lib/keys";
import { openCommandBar, openShortcutSheet, useIntents } from "@/stores/intents";
import { matches, useKeys } from "@/stores/shortcuts";
import { Kbd } from "@/ui/Kbd";
import { Logo } from "@/ui/Logo";
import { TopBarContext } from "@/ui/TopBarSlots";
import { OfflineBanner } from "./OfflineBanner";
import { RouteAnnouncer } from "./RouteAnnouncer";
import { UserMenu } from "./UserMenu";

function useGlobalKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (matches(event, "commandBar")) {
        event.preventDefault();
        openCommandBar(!useIntents.getState().commandBar);
      } else if (matches(event, "shortcutSheet")) {
        event.preventDefault();
        openShortcutSheet(true);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

export function AppShell({ children, onSignOut }: { children: ReactNode; onSignOut: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState<HTMLElement | null>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const targets = useMemo(() => ({ title, actions }), [title, actions]);
  const loading = useRouterState({ select: (state) => state.status === "pending" });
  const commandKeys = useKeys("commandBar");
  useGlobalKeys();

  return (
    <TopBarContext value={targets}>
      <div className="flex h-full flex-col">
        <a
          href="#content"
          className="fixed top-2 left-2 z-70 -translate-y-16 rounded-md bg-accent px-3 py-1.5 font-medium text-on-accent focus:translate-y-0"
          onClick={(event) => {
            event.preventDefault();
            document.getElementById("content")?.focus();
          }}
        >
          {t("shell.skip")}
        </a>
        <header className="relative z-10 flex min-h-(--topbar-h) shrink-0 items-center gap-x-2 border-b border-line bg-surface px-3 max-lg:flex-wrap">
          <Link
            to="/"
            aria-label={t("shell.home")}
            className="flex shrink-0 items-center gap-2 rounded-md p-1 font-semibold"
          >
            <Logo className="size-6" />
            <span className="hidden text-base md:inline">Ferroflow</span>
          </Link>
          <div ref={setTitle} className="flex h-(--topbar-h) min-w-0 flex-1 items-center gap-2" />
          {/* Where there is no room beside the title, a line of their own. */}
          <div
            ref={setActions}
            className="flex shrink-0 items-center gap-2 empty:hidden max-lg:order-last max-lg:w-full max-lg:justify-end max-lg:pb-1.5"
          />
          <button
            type="button"
            aria-keyshortcuts={commandKeys ? ariaKeys(commandKeys) : undefined}
            onClick={() => openCommandBar(true)}
            className="flex h-(--control-h) shrink-0 items-center gap-2 rounded-md border border-line px-2 text-muted transition-colors hover:bg-hover hover:text-ink"
          >
            <Search aria-hidden="true" className="size-4" />
            <span className="text-sm max-2xl:sr-only">{t("shell.search")}</span>
            <span aria-hidden="true" className="hidden sm:inline-flex">
              <Kbd keys={commandKeys} />
            </span>
          </button>
          <UserMenu onSignOut={onSignOut} />
          <div
            aria-hidden="true"
            className={`absolute inset-x-0 -bottom-px h-0.5 origin-left bg-accent transition-[opacity,scale] duration-500 ${loading ? "scale-x-75 opacity-100" : "scale-x-0 opacity-0"}`}
          />
        </header>
        <OfflineBanner />
        <RouteAnnouncer />
        <div id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-hidden outline-none">
          {children}
        </div>
      </div>
    </TopBarContext>
  );
}
