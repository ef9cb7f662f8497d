const open = new Map<string, () => Promise<boolean>>();

/** An editor has the flow open and can save what is on the screen; returns how it is closed. */
export function openForEditing(flowId: string, save: () => Promise<boolean>): () => void {
  open.set(flowId, save);
  return () => {
    if (open.get(flowId) === save) open.delete(flowId);
  };
}

/** Saves what is on the screen, where the flow is open: whoever runs it means what they see. False: it could not be saved. */
export async function savedAsShown(flowId: string): Promise<boolean> {
  return (await open.get(flowId)?.()) ?? true;
}
