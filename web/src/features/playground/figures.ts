import type { Usage } from "@/flow/messages";

function unit(value: number, name: string, language: string, digits = 0): string {
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: name,
    unitDisplay: "narrow",
    maximumFractionDigits: digits,
  }).format(value);
}

/** 593ms, 3.1s, 2m 5s, or as the language writes it. */
export function durationText(milliseconds: number, language: string): string {
  if (milliseconds < 1000) return unit(Math.round(milliseconds), "millisecond", language);
  const seconds = milliseconds / 1000;
  if (seconds < 60) return unit(seconds, "second", language, 1);
  const minutes = Math.floor(seconds / 60);
  return `${unit(minutes, "minute", language)} ${unit(Math.floor(seconds % 60), "second", language)}`;
}

export function compact(count: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** Money as small as it is: $0.0015 is not $0.00. */
export function costText(usage: Usage, language: string): string | null {
  if (usage.cost === null) return null;
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "USD",
    ...(usage.cost < 1 ? { maximumSignificantDigits: 2 } : {}),
  }).format(usage.cost);
}
