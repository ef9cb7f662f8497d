import { Switch as Base } from "@base-ui/react/switch";

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  disabled?: boolean;
}

export function Switch({ checked, onChange, ...rest }: SwitchProps) {
  return (
    <Base.Root
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      className="flex h-5 w-9 shrink-0 items-center rounded-full border border-faint bg-sunken p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
      {...rest}
    >
      <Base.Thumb className="size-3.5 rounded-full bg-faint transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
    </Base.Root>
  );
}
