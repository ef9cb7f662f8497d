import { useEffect, useRef, useState } from "react";
import { Input } from "@/ui/Field";

export interface InlineNameProps {
  label: string;
  value: string;
  placeholder?: string;
  onSave: (name: string) => Promise<unknown> | void;
  onCancel: () => void;
}

/** A name edited where it stands: Enter or leaving it saves, Escape gives up. */
export function InlineName({ label, value, placeholder, onSave, onCancel }: InlineNameProps) {
  const [name, setName] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const settled = useRef(false);

  useEffect(() => {
    // After the menu that opened it has given the focus back.
    const frame = requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  const settle = (save: boolean) => {
    if (settled.current) return;
    settled.current = true;
    const wanted = name.trim();
    if (save && wanted && wanted !== value) void onSave(wanted);
    else onCancel();
  };

  return (
    <Input
      ref={input}
      aria-label={label}
      value={name}
      placeholder={placeholder}
      maxLength={200}
      className="h-7 px-1.5"
      onChange={(event) => setName(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") settle(true);
        if (event.key === "Escape") settle(false);
      }}
      onBlur={() => {
        if (input.current === document.activeElement) return;
        settle(true);
      }}
    />
  );
}
