/** Icons on a grid of 16 pixels, one for each type of item and each action. */
const SHAPES = {
  message: <path d="M3 3.5h10v7H7.5L5 13v-2.500H3z"/>,
  tool: <><rect x="2.5" y="3" width="11" height="10" rx="1.5"/><path d="M5 6.500l2 1.5-2 1.500M8.5 10H11"/></>,
  decision: <><path d="M8 2.3 13.7 8 8 13.7 2.3 8z"/><path d="M6 8l1.5 1.500L10.2 6.7"/></>,
  goal: <><circle cx="8" cy="8" r="5.5"/><circle cx="8" cy="8" r="2"/></>,
  summary: <path d="M3 4h10M3 8h7.500M3 12h4.5"/>,
  code: <path d="M5.8 4.5 2.5 8l3.3 3.500M10.2 4.5 13.5 8l-3.3 3.5"/>,
  error: <><path d="M8 2.7 14 13H2z"/><path d="M8 6.500v3M8 11.200v.1"/></>,
  question: <><circle cx="8" cy="8" r="5.7"/><path d="M6.4 6.500a1.650 1.650 0 1 1 2.4 1.500c-.600.3-.8.6-.8 1.100M8 11v.1"/></>,
  action: <path d="M8.7 2.5 4 9h3.500L7 13.5 12 7H8.300z"/>,
  lock: <><rect x="3.5" y="7" width="9" height="6" rx="1.2"/><path d="M5.5 7V5.200a2.5 2.5 0 0 1 5 0V7"/></>,
  box: <rect x="3" y="3" width="10" height="10" rx="2.5"/>,
  done: <><rect x="3" y="3" width="10" height="10" rx="2.5"/><path d="M5.5 8.200l1.8 1.8 3.2-4"/></>,
  open: <><rect x="3" y="3" width="10" height="10" rx="2.5"/><path d="M5.5 8h5"/></>,
  check: <path d="M3.5 8.500l3 3 6-7"/>,
  search: <><circle cx="7" cy="7" r="4.2"/><path d="M10.2 10.200l3.3 3.3"/></>,
  play: <path d="M5 3.300v9.400l7.5-4.700z"/>,
  previous: <path d="M10 3.5 5.5 8l4.5 4.5"/>,
  next: <path d="M6 3.5 10.5 8 6 12.5"/>,
  first: <path d="M11.5 3.5 7 8l4.5 4.500M4.5 3.500v9"/>,
  last: <path d="M4.5 3.5 9 8l-4.5 4.500M11.5 3.500v9"/>,
  pin: <path d="M8 9.500V14M4.7 9.500h6.600l-1.3-3v-4H6v4z"/>,
  fork: <><circle cx="4.5" cy="3.5" r="1.5"/><circle cx="4.5" cy="12.5" r="1.5"/><circle cx="11.5" cy="5" r="1.5"/><path d="M4.5 5v6M11.5 6.500c0 3.2-7 1.5-7 4.5"/></>,
  backtrack: <><path d="M6 3.3 2.8 6.5 6 9.7"/><path d="M2.8 6.500h6.700a3.250 3.250 0 0 1 0 6.500H7"/></>,
  compaction: <path d="M8 1.800v4.400M5.7 4.2 8 6.400l2.3-2.200M8 14.200V9.800M5.7 11.8 8 9.600l2.3 2.200M2.5 8h11"/>,
  checkpoint: <path d="M4 14V2.500M4 3h8l-2 2.8 2 2.800H4"/>,
  clock: <><circle cx="8" cy="8" r="5.7"/><path d="M8 4.800V8l2.2 1.4"/></>,
  moon: <path d="M13 9.600A5.5 5.5 0 1 1 6.4 3a4.5 4.5 0 0 0 6.6 6.600z"/>,
  shield: <><path d="M8 1.800l5 1.800v4.200c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.300V3.600z"/><path d="M5.8 7.900l1.6 1.6 2.9-3.2"/></>,
  right: <path d="M6 4l4 4-4 4"/>,
  down: <path d="M4 6l4 4 4-4"/>,
  close: <path d="M4 4l8 8M12 4l-8 8"/>,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2"/>,
  plus: <path d="M8 3.500v9M3.5 8h9"/>,
  minus: <path d="M3.5 8h9"/>,
  fit: <path d="M2.5 5.500v5M13.5 5.500v5M5 8h6M6.5 6.3 4.8 8l1.7 1.700M9.5 6.3 11.2 8 9.5 9.7"/>,
  copy: <><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.500v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/></>,
  compare: <path d="M5 2.500v8M2.5 8 5 10.5 7.5 8M11 13.500v-8M8.5 8 11 5.5 13.5 8"/>,
  "arrow-down": <path d="M8 3v9M4.5 8.8 8 12.200l3.5-3.4"/>,
  key: <><circle cx="5.5" cy="10.5" r="2.7"/><path d="M7.5 8.500l5.5-5.500M10.5 5.500l2 2"/></>,
  inbox: <path d="M2.5 9.500l2-6h7l2 6v3.500h-11zM2.5 9.500h3.300l.8 1.500h2.800l.8-1.500h3.3"/>,
  sun: <><circle cx="8" cy="8" r="2.8"/><path d="M8 1.800v1.600M8 12.600v1.600M1.800 8h1.600M12.600 8h1.600M3.600 3.600l1.100 1.100M11.300 11.300l1.100 1.100M12.400 3.600l-1.100 1.100M4.700 11.300l-1.100 1.100"/></>,
  stop: <path d="M4.500 4.500h7v7h-7z"/>,
  filter: <path d="M2.500 4h11M4.500 8h7M6.500 12h3"/>,
  memory: <><path d="M3.500 3.500h6.500l2.500 2.500v6.500h-9z"/><path d="M6 8h4M6 10.300h2.500"/></>,
  file: <><path d="M4 2.500h5l3 3v8H4z"/><path d="M9 2.500v3h3"/></>,
  image: <><rect x="2.500" y="3" width="11" height="10" rx="1.500"/><path d="M3 11l3-3 2.500 2.500L10.500 8.500l2.500 2.500"/><circle cx="6" cy="6" r=".8"/></>,
  link: <path d="M6.800 9.200l2.400-2.400M7 4.800l1.200-1.200a2.500 2.500 0 0 1 3.600 3.600L10.600 8.400M9 11.200l-1.200 1.200a2.500 2.500 0 0 1-3.600-3.600L5.400 7.600"/>,
} as const;

export type IconName = keyof typeof SHAPES;

interface Props {
  name: IconName;
  small?: boolean;
}

export function Icon({ name, small }: Props) {
  return (
    <svg className={small ? "icon small" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
