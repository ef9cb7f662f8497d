import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "./Badge";
import { cx } from "./cx";
import { inputClass } from "./Field";

export interface TagsInputProps {
  id?: string;
  value: string[];
  onChange: (value: string[]) => void;
  placeholder?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

/** Words made into chips by Enter, comma or leaving the field; Backspace takes the last one back. */
export function TagsInput({ value, onChange, ...rest }: TagsInputProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");

  const add = (raw: string) => {
    const added = raw
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag && !value.includes(tag));
    if (added.length > 0) onChange([...value, ...new Set(added)]);
    setText("");
  };

  return (
    <div
      className={cx(
        inputClass,
        "flex h-auto min-h-(--control-h) flex-wrap items-center gap-1 px-1.5 py-1 focus-within:outline-2 focus-within:outline-accent",
      )}
    >
      {value.map((tag) => (
        <Badge key={tag} className="pr-0.5">
          <span className="max-w-40 truncate">{tag}</span>
          <button
            type="button"
            aria-label={t("common.removeTag", { tag })}
            className="flex size-4 items-center justify-center rounded-full hover:bg-line"
            onClick={() => onChange(value.filter((each) => each !== tag))}
          >
            <X aria-hidden="true" className="size-3" />
          </button>
        </Badge>
      ))}
      <input
        {...rest}
        type="text"
        value={text}
        className="h-5 min-w-16 flex-1 bg-transparent px-1 outline-none"
        onChange={(event) => {
          if (event.target.value.includes(",")) add(event.target.value);
          else setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && text.trim()) {
            event.preventDefault();
            add(text);
          }
          if (event.key === "Backspace" && !text && value.length > 0) onChange(value.slice(0, -1));
        }}
        onBlur={() => add(text)}
      />
    </div>
  );
}
