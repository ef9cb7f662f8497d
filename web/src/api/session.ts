import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { Config, Health, Session, Version } from "./types";

export const sessionKeys = {
  session: ["session"] as const,
  config: ["config"] as const,
  version: ["version"] as const,
  health: ["health"] as const,
};

export async function getSession(): Promise<Session> {
  return (await unwrap(client.GET("/api/v1/session"))) as Session;
}

export async function getConfig(): Promise<Config> {
  return (await unwrap(client.GET("/api/v1/config"))) as Config;
}

export const sessionQuery = queryOptions({
  queryKey: sessionKeys.session,
  queryFn: getSession,
  staleTime: 60_000,
});

export const configQuery = queryOptions({
  queryKey: sessionKeys.config,
  queryFn: getConfig,
  staleTime: Number.POSITIVE_INFINITY,
});

export const versionQuery = queryOptions({
  queryKey: sessionKeys.version,
  queryFn: async () => (await unwrap(client.GET("/api/v1/version"))) as Version,
  staleTime: Number.POSITIVE_INFINITY,
});

export const healthQuery = queryOptions({
  queryKey: sessionKeys.health,
  queryFn: async () => (await unwrap(client.GET("/health_check"))) as Health,
  staleTime: 10_000,
});

export async function signIn(username: string, password: string): Promise<void> {
  await unwrap(
    client.POST("/api/v1/login", {
      body: { username, password },
      bodySerializer: (body) => new URLSearchParams(body as Record<string, string>).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
  );
}

export async function autoSignIn(): Promise<void> {
  await unwrap(client.GET("/api/v1/auto_login"));
}

export async function signOut(): Promise<void> {
  await unwrap(client.POST("/api/v1/logout"));
}

/** True when the server answers at all. Plain fetch: the answer must not raise the offline banner again. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
