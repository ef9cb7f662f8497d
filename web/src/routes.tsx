import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { componentsQuery } from "./api/components";
import { flowQuery } from "./api/flows";
import { queryClient } from "./api/queryClient";
import { AppLayout } from "./AppLayout";
import { enterSession } from "./features/session/session";
import { ErrorPage, NotFoundPage } from "./features/shell/ErrorPages";
import { PageSkeleton } from "./features/shell/PageSkeleton";
import { Toaster } from "./ui/Toaster";

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toaster />
    </>
  ),
});

const sessionPages = () => import("./features/session/SessionPages");

interface Next {
  next?: string;
}

function readNext(search: Record<string, unknown>): Next {
  return typeof search.next === "string" ? { next: search.next } : {};
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: readNext,
  component: lazyRouteComponent(sessionPages, "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/signup",
  component: lazyRouteComponent(sessionPages, "SignUpPage"),
});

const publicFlow = createRoute({
  getParentRoute: () => root,
  path: "/public/$flowId",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/playground/$flowId", params, replace: true });
  },
});

const publicPlayground = createRoute({
  getParentRoute: () => root,
  path: "/playground/$flowId",
  component: lazyRouteComponent(() => import("./PublicPlaygroundRoute")),
});

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ location }) => {
    const user = await enterSession();
    if (user) return;
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { next: location.href } });
  },
  component: AppLayout,
});

interface Search {
  q?: string | undefined;
}

function readSearch(search: Record<string, unknown>): Search {
  return search.q === undefined ? {} : { q: String(search.q) };
}

const homePage = lazyRouteComponent(() => import("./features/projects/HomePage"));

const home = createRoute({
  getParentRoute: () => app,
  path: "/",
  validateSearch: readSearch,
  component: homePage,
});

const all = createRoute({
  getParentRoute: () => app,
  path: "/all",
  validateSearch: readSearch,
  component: homePage,
});

const project = createRoute({
  getParentRoute: () => app,
  path: "/projects/$projectId",
  validateSearch: readSearch,
  component: homePage,
});

const flow = createRoute({
  getParentRoute: () => app,
  path: "/flow/$flowId",
  // The flow and the components are fetched while the page's own code still is.
  loader: ({ params, cause }) => {
    // A pointer that only passes over a link asks for the code, not for the flow.
    if (cause === "preload") return;
    void queryClient.prefetchQuery(flowQuery(params.flowId));
    void queryClient.prefetchQuery(componentsQuery);
  },
  component: lazyRouteComponent(() => import("./FlowRoute")),
});

const playground = createRoute({
  getParentRoute: () => app,
  path: "/flow/$flowId/playground",
  component: lazyRouteComponent(() => import("./PlaygroundRoute")),
});

const runs = createRoute({
  getParentRoute: () => app,
  path: "/flow/$flowId/runs",
  component: lazyRouteComponent(() => import("./RunsRoute")),
});

function readTemplateSearch(search: Record<string, unknown>): Search & { template?: string } {
  return { ...readSearch(search), ...(typeof search.template === "string" ? { template: search.template } : {}) };
}

const templates = createRoute({
  getParentRoute: () => app,
  path: "/templates",
  validateSearch: readTemplateSearch,
  component: lazyRouteComponent(() => import("./features/templates/TemplatesPage")),
});

const files = createRoute({
  getParentRoute: () => app,
  path: "/files",
  component: lazyRouteComponent(() => import("./features/files/FilesPage")),
});

const trash = createRoute({
  getParentRoute: () => app,
  path: "/trash",
  component: lazyRouteComponent(() => import("./features/trash/TrashPage")),
});

const reference = createRoute({
  getParentRoute: () => app,
  path: "/docs",
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import("./features/reference/ReferencePage")),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: "/settings",
  component: lazyRouteComponent(() => import("./features/settings/SettingsLayout")),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: "/profile",
  component: lazyRouteComponent(() => import("./features/settings/ProfilePage")),
});

const variables = createRoute({
  getParentRoute: () => settings,
  path: "/variables",
  component: lazyRouteComponent(() => import("./features/settings/VariablesPage")),
});

const modelProviders = createRoute({
  getParentRoute: () => settings,
  path: "/models",
  component: lazyRouteComponent(() => import("./features/models/ModelProvidersPage")),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./features/settings/ApiKeysPage")),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: "/users",
  component: lazyRouteComponent(() => import("./features/settings/UsersPage")),
});

const appearance = createRoute({
  getParentRoute: () => settings,
  path: "/appearance",
  component: lazyRouteComponent(() => import("./features/settings/AppearancePage")),
});

const language = createRoute({
  getParentRoute: () => settings,
  path: "/language",
  component: lazyRouteComponent(() => import("./features/settings/LanguagePage")),
});

const shortcuts = createRoute({
  getParentRoute: () => settings,
  path: "/shortcuts",
  component: lazyRouteComponent(() => import("./features/settings/ShortcutsPage")),
});

const about = createRoute({
  getParentRoute: () => settings,
  path: "/about",
  component: lazyRouteComponent(() => import("./features/settings/AboutPage")),
});

const routeTree = root.addChildren([
  signIn,
  signUp,
  publicFlow,
  publicPlayground,
  app.addChildren([
    home,
    all,
    project,
    flow,
    playground,
    runs,
    templates,
    files,
    trash,
    reference,
    settings.addChildren([
      settingsIndex,
      profile,
      variables,
      modelProviders,
      apiKeys,
      users,
      appearance,
      language,
      shortcuts,
      about,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 200,
  defaultPendingMinMs: 200,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
