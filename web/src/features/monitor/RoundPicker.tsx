import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RunStep } from "@/flow/runDetail";
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { stepStateKeys } from "./runText";

/** Which round of a loop is looked at. */
export function RoundPicker({
  steps,
  current,
  onChoose,
}: {
  steps: readonly RunStep[];
  current: RunStep;
  onChoose: (index: number) => void;
}) {
  const { t } = useTranslation();
  if (steps.length < 2) return null;
  const at = steps.indexOf(current);
  const move = (by: number): void => onChoose(at + by);
  return (
    <div className="flex items-center gap-1">
      <IconButton
        size="sm"
        label={t("runs.round.previous")}
        disabled={at <= 0}
        icon={<ChevronLeft aria-hidden="true" className="size-4" />}
        onClick={() => move(-1)}
      />
      <Select
        aria-label={t("runs.round.label")}
        className="w-52"
        value={String(at)}
        onChange={(index) => onChoose(Number(index))}
        options={steps.map((step, index) => ({
          value: String(index),
          label: t("runs.round.option", {
            n: index + 1,
            of: steps.length,
            state: t(stepStateKeys[step.state]),
          }),
        }))}
      />
      <IconButton
        size="sm"
        label={t("runs.round.next")}
        disabled={at >= steps.length - 1}
        icon={<ChevronRight aria-hidden="true" className="size-4" />}
        onClick={() => move(1)}
      />
    </div>
  );
}
