import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Search, Trash2, Users } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient } from "@/api/queryClient";
import { sessionQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { deleteUser, patchUser, userKeys, type UserPatch, usersQuery } from "@/api/users";
import { Avatar } from "@/ui/Avatar";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { PageHeader } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Select } from "@/ui/Select";
import { SkeletonRows } from "@/ui/Skeleton";
import { Switch } from "@/ui/Switch";
import { Table, Td, Th } from "@/ui/Table";
import { toastError } from "@/ui/toastError";
import { useDebounced } from "@/ui/useDebounced";
import { NewUserDialog, ResetPasswordDialog } from "./UserDialogs";

const pageSize = 25;

export default function UsersPage() {
  const { t } = useTranslation();
  const me = useQuery(sessionQuery).data?.user;
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const wanted = useDeferredValue(useDebounced(search.trim(), 250));
  const users = useQuery({
    ...usersQuery(wanted, page * pageSize, pageSize),
    placeholderData: keepPreviousData,
    enabled: me?.is_superuser ?? false,
  });
  const [creating, setCreating] = useState(false);
  const [resetting, setResetting] = useState<UserRead | null>(null);
  const [deleting, setDeleting] = useState<UserRead | null>(null);
  const total = users.data?.total_count ?? 0;

  const change = async (user: UserRead, patch: UserPatch) => {
    try {
      await patchUser(user.id, patch);
    } catch (error) {
      toastError(error);
    } finally {
      await queryClient.invalidateQueries({ queryKey: userKeys.all });
    }
  };

  if (me && !me.is_superuser) {
    return (
      <EmptyState heading="h1" icon={<Users />} title={t("settings.users.adminsOnly")}>
        {t("settings.users.adminsOnlyHint")}
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader
        title={t("settings.users.title")}
        description={t("settings.users.hint")}
        actions={
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setCreating(true)}
          >
            {t("settings.users.new")}
          </Button>
        }
      />
      <div className="relative mb-3 max-w-80">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <Input
          type="search"
          aria-label={t("settings.users.search")}
          placeholder={t("settings.users.search")}
          value={search}
          className="pl-8"
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(0);
          }}
        />
      </div>
      {users.isPending ? <SkeletonRows label={t("common.loading")} /> : null}
      {users.isError ? <ErrorNotice error={users.error} onRetry={() => void users.refetch()} /> : null}
      {users.data ? (
        <Table
          label={t("settings.users.title")}
          head={
            <>
              <Th>{t("settings.users.name")}</Th>
              <Th>{t("settings.users.role")}</Th>
              <Th>{t("settings.users.active")}</Th>
              <Th className="max-md:hidden">{t("settings.users.seen")}</Th>
              <Th hidden>{t("settings.actions")}</Th>
            </>
          }
        >
          {users.data.users.map((user) => {
            const self = user.id === me?.id;
            return (
              <tr key={user.id} className="border-t border-line">
                <Td className="w-full max-w-0">
                  <span className="flex items-center gap-2">
                    <Avatar name={user.username} image={user.profile_image} className="size-6" />
                    <span className="truncate font-medium">{user.username}</span>
                    {self ? <Badge>{t("settings.users.you")}</Badge> : null}
                  </span>
                </Td>
                <Td>
                  <Select<"admin" | "member">
                    aria-label={t("settings.users.roleOf", { name: user.username })}
                    value={user.is_superuser ? "admin" : "member"}
                    disabled={self}
                    className="w-36"
                    onChange={(role) => void change(user, { is_superuser: role === "admin" })}
                    options={[
                      { value: "member", label: t("shell.roleUser") },
                      { value: "admin", label: t("shell.roleAdmin") },
                    ]}
                  />
                </Td>
                <Td>
                  <Switch
                    aria-label={t("settings.users.activeOf", { name: user.username })}
                    checked={user.is_active}
                    disabled={self}
                    onChange={(active) => void change(user, { is_active: active })}
                  />
                </Td>
                <Td className="whitespace-nowrap text-muted max-md:hidden">
                  {user.last_login_at ? <RelativeTime value={user.last_login_at} /> : t("settings.users.never")}
                </Td>
                <Td>
                  <span className="flex justify-end gap-0.5">
                    <IconButton
                      label={t("settings.users.reset", { name: user.username })}
                      icon={<KeyRound className="size-4" />}
                      size="sm"
                      disabled={self}
                      onClick={() => setResetting(user)}
                    />
                    <IconButton
                      label={t("settings.users.delete", { name: user.username })}
                      icon={<Trash2 className="size-4" />}
                      size="sm"
                      disabled={self}
                      onClick={() => setDeleting(user)}
                    />
                  </span>
                </Td>
              </tr>
            );
          })}
        </Table>
      ) : null}
      {users.data?.users.length === 0 ? (
        <p className="py-8 text-center text-muted">{t("settings.users.noMatch")}</p>
      ) : null}
      {total > pageSize ? (
        <div className="mt-3 flex items-center justify-end gap-2">
          <span className="text-muted">
            {t("settings.users.range", {
              from: page * pageSize + 1,
              to: Math.min(total, (page + 1) * pageSize),
              total,
            })}
          </span>
          <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t("settings.users.previous")}
          </Button>
          <Button disabled={(page + 1) * pageSize >= total} onClick={() => setPage(page + 1)}>
            {t("settings.users.next")}
          </Button>
        </div>
      ) : null}
      {creating ? <NewUserDialog onClose={() => setCreating(false)} /> : null}
      {resetting ? <ResetPasswordDialog user={resetting} onClose={() => setResetting(null)} /> : null}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t("settings.users.deleteTitle", { name: deleting?.username ?? "" })}
        description={t("settings.users.deleteConfirm")}
        confirmLabel={t("settings.delete")}
        onConfirm={async () => {
          if (deleting) await deleteUser(deleting.id);
          await queryClient.invalidateQueries({ queryKey: userKeys.all });
        }}
      />
    </>
  );
}
