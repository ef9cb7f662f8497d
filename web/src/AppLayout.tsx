import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { ImportPanel } from "./features/projects/ImportPanel";
import { StaleDialog } from "./features/projects/StaleDialog";
import { leaveSession } from "./features/session/session";
import { SessionGuard } from "./features/session/SessionGuard";
import { AppShell } from "./features/shell/AppShell";
import { ShortcutSheet } from "./features/shell/ShortcutSheet";
import { useIntents } from "./stores/intents";
import { preloadDialogs } from "./ui/Dialog";
import { preloadMenus } from "./ui/Menu";
import { toastError } from "./ui/toastError";

const NewFlowDialog = lazy(() => import("./features/projects/NewFlowDialog"));
const ProviderDialog = lazy(() => import("./features/models/ProviderDialog"));
const loadCommandBar = () => import("./features/commands/CommandBar");
const CommandBar = lazy(loadCommandBar);

/** Everything that stays while the pages change. */
export function AppLayout() {
  const navigate = useNavigate();
  const commandBar = useIntents((state) => state.commandBar);
  const newFlow = useIntents((state) => state.newFlow);
  const modelProvider = useIntents((state) => state.modelProvider);

  useEffect(() => {
    // What the first press will need, fetched while the person is still reading.
    const timer = setTimeout(() => {
      preloadMenus();
      preloadDialogs();
      void loadCommandBar();
    }, 1000);
    return () => clearTimeout(timer);
  }, []);

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
