import { create } from "zustand";
import { autoSignIn, configQuery, sessionKeys, sessionQuery, signIn, signOut } from "@/api/session";
import { setSessionRecovery } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import type { UserRead } from "@/api/types";

/** The signed-in user, or null when somebody has to sign in by hand. */
export async function enterSession(): Promise<UserRead | null> {
  const session = await queryClient.ensureQueryData(sessionQuery);
  if (session.user) return session.user;
  const config = await queryClient.ensureQueryData(configQuery);
  if (!config.auto_login || leftOnPurpose) return null;
  try {
    await autoSignIn();
  } catch {
    return null;
  }
  return (await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })).user;
}

// Without it, signing out of a single-user server would sign straight in again.
let leftOnPurpose = false;

export async function openSession(username: string, password: string): Promise<UserRead | null> {
  await signIn(username, password);
  leftOnPurpose = false;
  return (await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })).user;
}

export async function openWithoutPassword(): Promise<void> {
  await autoSignIn();
  leftOnPurpose = false;
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export async function leaveSession(): Promise<void> {
  await signOut();
  leftOnPurpose = true;
  const config = queryClient.getQueryData(configQuery.queryKey);
  queryClient.clear();
  if (config) queryClient.setQueryData(configQuery.queryKey, config);
  queryClient.setQueryData(sessionKeys.session, { authenticated: false, user: null });
}

interface Expired {
  asking: boolean;
  answer: ((signedIn: boolean) => void) | null;
}

export const useExpired = create<Expired>(() => ({ asking: false, answer: null }));

function askToSignIn(): Promise<boolean> {
  return new Promise((resolve) => {
    useExpired.setState({
      asking: true,
      answer: (signedIn) => {
        useExpired.setState({ asking: false, answer: null });
        resolve(signedIn);
      },
    });
  });
}

/** While a page of the app is open, an ended session is renewed over it instead of losing the page. */
export function keepSessionAlive(): () => void {
  setSessionRecovery(async () => {
    const config = await queryClient.ensureQueryData(configQuery);
    if (config.auto_login) {
      try {
        await autoSignIn();
        return true;
      } catch {
        // Not from this address; ask instead.
      }
    }
    return askToSignIn();
  });
  return () => setSessionRecovery(null);
}
