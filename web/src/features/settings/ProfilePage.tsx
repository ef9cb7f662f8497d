import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import { sessionKeys, sessionQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { patchUser } from "@/api/users";
import { Avatar } from "@/ui/Avatar";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { PageHeader } from "@/ui/Page";
import { SkeletonRows } from "@/ui/Skeleton";
import { showToast } from "@/ui/toasts";
import { PasswordSection } from "./PasswordSection";
import { Section } from "./Section";

const hues = [264, 200, 165, 120, 75, 40, 15, 340, 300];

export default function ProfilePage() {
  const { t } = useTranslation();
  const session = useQuery(sessionQuery);
  const user = session.data?.user;
  return (
    <>
      <PageHeader title={t("settings.profile.title")} description={t("settings.profile.hint")} />
      {user ? (
        <>
          <NameSection key={`${user.username}/${user.profile_image}`} user={user} />
          <PasswordSection user={user} />
        </>
      ) : (
        <SkeletonRows label={t("common.loading")} />
      )}
    </>
  );
}

function NameSection({ user }: { user: UserRead }) {
  const { t } = useTranslation();
  const [name, setName] = useState(user.username);
  const [image, setImage] = useState(user.profile_image);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const changed = name.trim() !== user.username || image !== user.profile_image;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!changed || busy || !name.trim()) return;
    setBusy(true);
    setError(null);
    try {
      await patchUser(user.id, {
        ...(name.trim() === user.username ? {} : { username: name.trim() }),
        ...(image === user.profile_image ? {} : { profile_image: image }),
      });
      await queryClient.invalidateQueries({ queryKey: sessionKeys.session });
      showToast({ tone: "success", message: t("settings.profile.saved") });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Section title={t("settings.profile.who")}>
      <form className="max-w-md space-y-4" onSubmit={(event) => void save(event)}>
        <Field
          label={t("session.username")}
          required
          error={error ? asApiError(error).field("username") : null}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="username"
              spellCheck={false}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t("settings.profile.colour")}</legend>
          <div className="flex flex-wrap gap-2">
            {hues.map((hue, index) => {
              const id = `hue:${hue}`;
              return (
                <label
                  key={hue}
                  className={cx(
                    "relative rounded-full p-0.5 outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                    image === id ? "ring-2 ring-accent" : "hover:ring-2 hover:ring-line-strong",
                  )}
                >
                  <input
                    type="radio"
                    name="avatar"
                    className="absolute inset-0 cursor-pointer opacity-0"
                    checked={image === id}
                    aria-label={t("settings.profile.colourNumber", { number: index + 1 })}
                    onChange={() => setImage(id)}
                  />
                  <Avatar name={name || "?"} image={id} className="size-8" />
                </label>
              );
            })}
          </div>
        </fieldset>
        {error ? <ErrorNotice error={error} /> : null}
        <Button type="submit" variant="primary" busy={busy} disabled={!changed || !name.trim()}>
          {t("common.save")}
        </Button>
      </form>
    </Section>
  );
}
