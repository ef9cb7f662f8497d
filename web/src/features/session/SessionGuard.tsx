import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { Dialog } from "@/ui/Dialog";
import { keepSessionAlive, useExpired } from "./session";
import { SignInForm } from "./SignInForm";

/** Mounted with the app's pages: asks for the password over the page when the session has ended. */
export function SessionGuard() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { asking, answer } = useExpired();
  const user = useQuery(sessionQuery).data?.user ?? null;

  useEffect(keepSessionAlive, []);

  const done = (signedIn: UserRead | null) => {
    answer?.(true);
    if (user && signedIn?.id !== user.id) {
      // Somebody else: nothing of the former user's page may stay.
      queries.removeQueries({ predicate: (query) => query.queryKey[0] !== "config" });
      void navigate({ to: "/" });
    }
  };

  return (
    <Dialog
      open={asking}
      title={t("session.expiredTitle")}
      description={t("session.expired")}
      onClose={() => {
        answer?.(false);
        void navigate({ to: "/login" });
      }}
    >
      <SignInForm {...(user ? { username: user.username } : {})} onDone={done} />
    </Dialog>
  );
}
