export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round">
        <path d="M8 10.5h7c5 0 3 11 8 11h1" />
        <path d="M8 21.5h4.5" />
        <path d="M20.5 10.5H24" />
      </g>
      <circle cx="8" cy="16" r="2.2" fill="var(--on-accent)" />
    </svg>
  );
}
