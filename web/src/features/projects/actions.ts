import i18next from "i18next";
import {
  deleteFlow,
  deleteFlows,
  downloadFlows,
  duplicateFlow,
  etagOf,
  flowKeys,
  type FlowPatch,
  patchFlow,
} from "@/api/flows";
import { deleteProject, downloadProject, projectKeys } from "@/api/projects";
import { queryClient } from "@/api/queryClient";
import { saveResponse } from "@/api/transfer";
import { restoreFromTrash, trashKeys } from "@/api/trash";
import { ApiError } from "@/api/error";
import type { FlowHeader, FlowRead, ProjectRead } from "@/api/types";
import { copyText } from "@/ui/copyText";
import { showToast } from "@/ui/toasts";
import { toastError } from "@/ui/toastError";
import { askAboutStale } from "./stale";

export async function refresh(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: flowKeys.all }),
    queryClient.invalidateQueries({ queryKey: projectKeys.all }),
    queryClient.invalidateQueries({ queryKey: trashKeys.all }),
  ]);
}

/** Runs something that reports its own failure; the lists are fresh afterwards either way. */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    toastError(error);
    return false;
  } finally {
    await refresh();
  }
}

function staleFlow(error: unknown): FlowRead | null {
  if (!(error instanceof ApiError) || error.code !== "stale") return null;
  const current = (error.body as { current?: FlowRead } | null)?.current;
  return current ?? null;
}

/**
 * Writes with the revision the person was looking at. If it has moved on, they decide;
 * resolves false when they chose to keep the other change.
 */
export async function changeFlow(flow: FlowHeader, patch: FlowPatch): Promise<boolean> {
  let etag = etagOf(flow.revision);
  for (;;) {
    try {
      await patchFlow(flow.id, patch, etag);
      await refresh();
      return true;
    } catch (error) {
      const current = staleFlow(error);
      if (!current) throw error;
      const choice = await askAboutStale({ mine: flow, patch, current });
      if (choice === "reload") {
        await refresh();
        return false;
      }
      etag = etagOf(current.revision);
    }
  }
}

export function setLocked(flow: FlowHeader, locked: boolean): Promise<boolean> {
  return attempt(() => changeFlow(flow, { locked }));
}

export function setAccess(flow: FlowHeader, access: FlowHeader["access_type"]): Promise<boolean> {
  return attempt(() => changeFlow(flow, { access_type: access }));
}

export async function copyPublicLink(flow: FlowHeader): Promise<void> {
  try {
    await copyText(`${location.origin}/playground/${flow.id}`);
    showToast({ tone: "success", message: i18next.t("projects.linkCopied") });
  } catch (error) {
    toastError(error);
  }
}

export async function duplicate(flow: FlowHeader): Promise<void> {
  await attempt(async () => {
    const copy = await duplicateFlow(flow.id);
    showToast({ tone: "success", message: i18next.t("projects.duplicated", { name: copy.name }) });
  });
}

export async function moveFlows(flows: readonly FlowHeader[], project: ProjectRead): Promise<void> {
  const moving = flows.filter((flow) => flow.folder_id !== project.id);
  if (moving.length === 0) return;
  const before = moving.map((flow) => ({ id: flow.id, folder: flow.folder_id }));
  const moved = await attempt(async () => {
    for (const flow of moving) await patchFlow(flow.id, { folder_id: project.id }, undefined);
  });
  if (!moved) return;
  showToast({
    message: i18next.t("projects.moved", {
      count: moving.length,
      name: moving[0]?.name,
      project: project.name,
    }),
    action: {
      label: i18next.t("common.undo"),
      run: () =>
        void attempt(async () => {
          for (const { id, folder } of before) await patchFlow(id, { folder_id: folder }, undefined);
        }),
    },
  });
}

export async function deleteWithUndo(flows: readonly FlowHeader[]): Promise<void> {
  const [first] = flows;
  if (!first) return;
  const ids = flows.map((flow) => flow.id);
  const deleted = await attempt(() => (ids.length === 1 ? deleteFlow(first.id) : deleteFlows(ids)));
  if (!deleted) return;
  showToast({
    message: i18next.t("projects.deleted", { count: ids.length, name: first.name }),
    action: {
      label: i18next.t("common.undo"),
      run: () =>
        void attempt(async () => {
          for (const id of ids) await restoreFromTrash("flow", id);
        }),
    },
  });
}

export async function deleteProjectWithUndo(project: ProjectRead): Promise<boolean> {
  const deleted = await attempt(() => deleteProject(project.id));
  if (deleted) {
    showToast({
      message: i18next.t("projects.projectDeleted", { name: project.name }),
      action: {
        label: i18next.t("common.undo"),
        run: () => void attempt(() => restoreFromTrash("project", project.id)),
      },
    });
  }
  return deleted;
}

function fileStem(name: string): string {
  return name.replace(/[\\/:*?"<>|]+/g, " ").trim() || "flow";
}

export async function exportFlows(flows: readonly FlowHeader[]): Promise<void> {
  const [first] = flows;
  if (!first) return;
  try {
    const response = await downloadFlows(flows.map((flow) => flow.id));
    await saveResponse(response, flows.length === 1 ? `${fileStem(first.name)}.json` : "flows.zip");
  } catch (error) {
    toastError(error);
  }
}

export async function exportProject(project: ProjectRead): Promise<void> {
  try {
    await saveResponse(await downloadProject(project.id), `${fileStem(project.name)}.zip`);
  } catch (error) {
    toastError(error);
  }
}
