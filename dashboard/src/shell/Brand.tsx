export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <rect width="20" height="20" rx="5" fill="var(--accent)" />
        <path d="M4.5 13.5h11M4.5 10h7.5M4.5 6.5h4.5" stroke="var(--accent-fg)" strokeWidth="1.7" strokeLinecap="round" />
        <circle cx="14.6" cy="7.6" r="1.7" fill="var(--accent-fg)" />
      </svg>
      <span className="hide-small">Backstory</span>
    </span>
  );
}
