import { useTranslation } from "react-i18next";
import { type CellProblem, cellProblem, cellText, cellValue, type Column, isOn } from "@/flow/values/tables";
import { Checkbox } from "@/ui/Checkbox";
import { LineInput } from "./LineInput";
import { useDraft } from "./useDraft";

const problems = {
  not_a_number: "fields.number.notANumber",
  not_whole: "fields.number.notWhole",
  not_json: "fields.json.wrong",
  not_offered: "fields.notOffered",
} as const satisfies Record<CellProblem, string>;

const plain =
  "block h-8 w-full min-w-0 bg-transparent px-2 outline-offset-[-2px] aria-invalid:text-danger aria-invalid:underline aria-invalid:decoration-wavy";

export function TableCell({
  id,
  value,
  column,
  label,
  readOnly,
  onChange,
  onLeave,
}: {
  id: string;
  value: unknown;
  column: Column;
  label: string;
  readOnly: boolean;
  onChange: (typed: unknown) => void;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const problem = cellProblem(value, column);
  const shown = cellText(value);
  const draft = useDraft(shown, onChange, onLeave, (typed) => cellText(cellValue(typed, column.kind)));
  if (column.kind === "bool")
    return (
      <span className="flex h-8 items-center px-2">
        <Checkbox
          aria-label={label}
          checked={isOn(value)}
          disabled={readOnly}
          {...{ "data-cell": id }}
          onChange={(on) => {
            onChange(on);
            onLeave();
          }}
        />
      </span>
    );
  if (column.kind === "choice")
    return (
      <select
        data-cell={id}
        aria-label={label}
        value={shown}
        disabled={readOnly}
        className={plain}
        onChange={(event) => {
          onChange(event.target.value);
          onLeave();
        }}
      >
        {[...new Set([...(column.options.includes(shown) ? [] : [shown]), ...column.options])].map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  return (
    <LineInput
      data-cell={id}
      aria-label={label}
      aria-invalid={problem ? true : undefined}
      title={problem ? t(problems[problem]) : undefined}
      aria-description={problem ? t(problems[problem]) : undefined}
      value={draft.text}
      readOnly={readOnly}
      className={plain}
      onFocus={draft.onFocus}
      onText={draft.onType}
      onBlur={draft.onBlur}
    />
  );
}
