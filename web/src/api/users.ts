import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { UserPage, UserRead } from "./types";

export const userKeys = { all: ["users"] as const };

export function usersQuery(search: string, skip: number, limit: number) {
  return queryOptions({
    queryKey: [...userKeys.all, { search, skip, limit }],
    queryFn: async () =>
      (await unwrap(
        client.GET("/api/v1/users", {
          params: { query: { skip, limit, ...(search ? { search } : {}) } },
        }),
      )) as UserPage,
  });
}

export interface NewUser {
  username: string;
  password: string;
  is_active?: boolean;
  is_superuser?: boolean;
}

export async function createUser(user: NewUser): Promise<UserRead> {
  return (await unwrap(client.POST("/api/v1/users", { body: user }))) as UserRead;
}

export type UserPatch = Partial<
  Pick<UserRead, "username" | "profile_image" | "is_active" | "is_superuser"> & { password: string }
>;

export async function patchUser(id: string, patch: UserPatch): Promise<UserRead> {
  return (await unwrap(
    client.PATCH("/api/v1/users/{user_id}", { params: { path: { user_id: id } }, body: patch }),
  )) as UserRead;
}

export async function changePassword(id: string, current: string, password: string): Promise<void> {
  await unwrap(
    client.PATCH("/api/v1/users/{user_id}/reset-password", {
      params: { path: { user_id: id } },
      body: { current_password: current, password },
    }),
  );
}

export async function deleteUser(id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/users/{user_id}", { params: { path: { user_id: id } } }));
}
