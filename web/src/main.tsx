import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queryClient";
import { preferredLanguage, startI18n, switchLanguage } from "./i18n";
import { router } from "./routes";
import { followPreferences, usePreferences } from "./stores/preferences";
import "./tokens.css";

async function start(container: HTMLElement): Promise<void> {
  followPreferences();
  const chosen = usePreferences.getState().language;
  await startI18n(chosen ?? preferredLanguage(navigator.languages));
  // Who somebody is and the code of the page they want can be asked for at the same time.
  if (location.pathname.startsWith("/flow/")) void import("./FlowRoute").catch(() => {});
  usePreferences.subscribe((state, before) => {
    if (state.language !== before.language) {
      void switchLanguage(state.language ?? preferredLanguage(navigator.languages));
    }
  });
  createRoot(container).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

const container = document.getElementById("root");
if (container) void start(container);
