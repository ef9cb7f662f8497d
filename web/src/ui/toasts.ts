import { create } from "zustand";

export type ToastTone = "info" | "success" | "error";

export interface Toast {
  id: number;
  tone: ToastTone;
  message: string;
  detail?: string;
  action?: { label: string; run: () => void };
  /** Milliseconds on screen; null stays until it is dismissed. */
  duration: number | null;
}

const atMost = 3;

export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));

let next = 1;

export function showToast(init: {
  message: string;
  tone?: ToastTone;
  detail?: string;
  action?: Toast["action"];
  duration?: number | null;
}): number {
  const id = next++;
  const toast: Toast = {
    id,
    tone: init.tone ?? "info",
    message: init.message,
    duration: init.duration === undefined ? (init.action ? 8000 : 5000) : init.duration,
    ...(init.detail ? { detail: init.detail } : {}),
    ...(init.action ? { action: init.action } : {}),
  };
  useToasts.setState((state) => ({ toasts: [...state.toasts, toast].slice(-atMost) }));
  return id;
}

export function dismissToast(id: number): void {
  useToasts.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }));
}
