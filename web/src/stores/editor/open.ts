const open = new Map<string, () => Promise<boolean>>();
const listeners = new Map<string, Set<() => void>>();

/** An editor has the flow open and can save what is on the screen; returns how it is closed. */
export function openForEditing(flowId: string, save: () => Promise<boolean>): () => void {
  open.set(flowId, save);
  return () => {
    if (open.get(flowId) !== save) return;
    open.delete(flowId);
    // Another may take its place at once.
    setTimeout(() => {
      if (open.has(flowId)) return;
      listeners.get(flowId)?.forEach((listener) => listener());
    });
  };
}

/** Called when the flow's page was left. */
export function whenLeft(flowId: string, listener: () => void): () => void {
  const heard = listeners.get(flowId) ?? new Set();
  listeners.set(flowId, heard.add(listener));
  return () => {
    heard.delete(listener);
    if (heard.size === 0) listeners.delete(flowId);
  };
}

/** Saves what is on the screen, where the flow is open: whoever runs it means what they see. False: it could not be saved. */
export async function savedAsShown(flowId: string): Promise<boolean> {
  return (await open.get(flowId)?.()) ?? true;
}
