import type { Theme } from "@/stores/preferences";

const light = { bg: "#f7f8f9", surface: "#ffffff", line: "#dfe3e7", ink: "#c2c9d1", accent: "#2b5bd7" };
const dark = { bg: "#141619", surface: "#1b1e22", line: "#2e333a", ink: "#474e57", accent: "#86a7ff" };

function Page({ colours }: { colours: typeof light }) {
  return (
    <>
      <rect width="120" height="72" fill={colours.bg} />
      <rect width="120" height="12" fill={colours.surface} />
      <path d="M0 12h120M30 12v60" stroke={colours.line} />
      <rect x="6" y="4" width="14" height="4" rx="2" fill={colours.accent} />
      <rect x="6" y="20" width="16" height="3" rx="1.5" fill={colours.ink} />
      <rect x="6" y="28" width="12" height="3" rx="1.5" fill={colours.ink} />
      {[38, 78].map((x) => (
        <g key={x}>
          <rect x={x} y="20" width="34" height="20" rx="3" fill={colours.surface} stroke={colours.line} />
          <rect x={x} y="46" width="34" height="20" rx="3" fill={colours.surface} stroke={colours.line} />
        </g>
      ))}
    </>
  );
}

export function ThemePicture({ theme }: { theme: Theme }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 120 72" className="h-18 w-30 rounded-md border border-line">
      {theme === "dark" ? <Page colours={dark} /> : <Page colours={light} />}
      {theme === "system" ? (
        <g clipPath="url(#theme-half)">
          <clipPath id="theme-half">
            <path d="M120 0v72H40L80 0z" />
          </clipPath>
          <Page colours={dark} />
        </g>
      ) : null}
    </svg>
  );
}
