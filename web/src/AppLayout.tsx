import { useQuery } from "@tanstack/react-query";
import { part } from "@/lib/part";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { sessionQuery } from "./api/session";
import { ImportPanel } from "./features/projects/ImportPanel";
import { StaleDialog } from "./features/projects/StaleDialog";
import { leaveSession } from "./features/session/session";
import { SessionGuard } from "./features/session/SessionGuard";
import { AppShell } from "./features/shell/AppShell";
import { ShortcutSheet } from "./features/shell/ShortcutSheet";
import { useIntents } from "./stores/intents";
import { loadShortcuts } from "./stores/shortcuts";
import { preloadDialogs } from "./ui/Dialog";
import { preloadMenus } from "./ui/Menu";
import { toastError } from "./ui/toastError";

const NewFlowDialog = lazy(() => part(() => import("./features/projects/NewFlowDialog")));
const TemplatesDialog = lazy(() => part(() => import("./features/templates/TemplatesDialog")));
const SetupPanel = lazy(() => part(() => import("./features/templates/SetupPanel")));
const ProviderDialog = lazy(() => part(() => import("./features/models/ProviderDialog")));
const loadCommandBar = () => part(() => import("./features/commands/CommandBar"));
const CommandBar = lazy(loadCommandBar);

/** Everything that stays while the pages change. */
export function AppLayout() {
  const navigate = useNavigate();
  const userId = useQuery(sessionQuery).data?.user?.id;
  const commandBar = useIntents((state) => state.commandBar);
  const newFlow = useIntents((state) => state.newFlow);
  const modelProvider = useIntents((state) => state.modelProvider);
  const templates = useIntents((state) => state.templates);
  const setup = useIntents((state) => state.setup);

  useEffect(() => {
    // What the first press will need, fetched while the person is still reading.
    const timer = setTimeout(() => {
      preloadMenus();
      preloadDialogs();
      loadCommandBar().catch(() => {});
    }, 1000);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    // Without an answer those of this browser go on; a change asks again.
    if (userId) void loadShortcuts(userId).catch(() => {});
  }, [userId]);

  const signOut = async () => {
    try {
      await leaveSession();
      await navigate({ to: "/login" });
    } catch (error) {
      toastError(error);
    }
  };

  return (
    <AppShell onSignOut={() => void signOut()}>
      <Outlet />
      <SessionGuard />
      {newFlow ? (
        <Suspense>
          <NewFlowDialog projectId={newFlow.projectId} />
        </Suspense>
      ) : null}
      {templates ? (
        <Suspense>
          <TemplatesDialog {...templates} />
        </Suspense>
      ) : null}
      {setup ? (
        <Suspense>
          <SetupPanel {...setup} />
        </Suspense>
      ) : null}
      {modelProvider ? (
        <Suspense>
          <ProviderDialog key={modelProvider} name={modelProvider} />
        </Suspense>
      ) : null}
      <StaleDialog />
      <ImportPanel />
      <ShortcutSheet />
      {commandBar ? (
        <Suspense>
          <CommandBar onSignOut={() => void signOut()} />
        </Suspense>
      ) : null}
    </AppShell>
  );
}
