import type { Usage } from "@/flow/messages";

function unit(value: number, name: string, language: string, digits = 0): string {
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: name,
    unitDisplay: "narrow",
    maximumFractionDigits: digits,
  }).format(value);
}

/** <1ms, 593ms, 3.1s, 2m 5s, or as the language writes it. */
export function durationText(milliseconds: number, language: string): string {
  if (milliseconds > 0 && milliseconds < 1) return `<${unit(1, "millisecond", language)}`;
  if (milliseconds < 1000) return unit(Math.round(milliseconds), "millisecond", language);
  const seconds = milliseconds / 1000;
  if (seconds < 60) return unit(seconds, "second", language, 1);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${unit(minutes, "minute", language)} ${unit(Math.floor(seconds % 60), "second", language)}`;
  }
  return `${unit(Math.floor(minutes / 60), "hour", language)} ${unit(minutes % 60, "minute", language)}`;
}

/** As above, with what lies between two milliseconds. */
export function fineDuration(milliseconds: number, language: string): string {
  if (milliseconds > 0 && milliseconds < 0.05) return `<${unit(0.1, "millisecond", language, 1)}`;
  return milliseconds < 10 ? unit(milliseconds, "millisecond", language, 1) : durationText(milliseconds, language);
}

export function compactNumber(count: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** Money as small as it is: $0.0015 is not $0.00. */
export function costText(dollars: number, language: string): string {
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: "USD",
    ...(dollars < 1 ? { maximumSignificantDigits: 2 } : {}),
  }).format(dollars);
}

/** 1.2k→340, as short as a card needs it. */
export function tokensText(usage: Pick<Usage, "input" | "output">, language: string): string {
  return `${compactNumber(usage.input, language)}→${compactNumber(usage.output, language)}`;
}
