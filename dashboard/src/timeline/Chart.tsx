import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { BranchDocument, TimelineDocument } from "../api/schema";
import { useBeginnings } from "../api/events";
import { titleOf } from "../events/words";
import { count, limitText, minutes, percent } from "../parts/format";
import type { Cursor as CursorState } from "../session/cursor";
import { Axis } from "./Axis";
import { abandoned, pathTo, runOf, type Branch } from "./branches";
import { Cursor } from "./Cursor";
import { useGestures } from "./gestures";
import { Lanes } from "./Lanes";
import { Dots, MarkLabels, Marks, ROOM_FOR_NAMES } from "./Marks";
import { grouped, type Kind } from "./marks";
import { Overview } from "./Overview";
import { coloursOf, paint } from "./paint";
import { columnAt, geometry, limitAt, pan, scaleX, shares, versionAt, zoom, type View } from "./scale";
import { Tooltip } from "./Tooltip";

interface Props {
  /** The whole session, and what is in sight in more detail where there is any. */
  overview: TimelineDocument;
  detail: TimelineDocument;
  branches: Branch[];
  forks: BranchDocument[];
  cursor: CursorState;
  view: View;
  setView: (view: View) => void;
  shown: ReadonlySet<Kind>;
  times: boolean;
  mini: boolean;
  selected?: number;
}

const SNAP = 6;

/** The drawing: canvas for areas, SVG for what is pointed at. */
export function Chart({ overview, detail, branches, forks, cursor, view, setView, shown, times, mini, selected }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(0);
  const [theme, setTheme] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  const { newest } = cursor;

  useLayoutEffect(() => {
    const element = frame.current!;
    setWidth(element.clientWidth);
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    const themes = new MutationObserver(() => setTheme((n) => n + 1));
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
    };
  }, []);

  const place = useMemo(() => geometry(width, mini), [width, mini]);
  const toX = useMemo(() => scaleX(place, view), [place, view]);
  const share = useMemo(() => shares(overview.limits, overview.columns), [overview]);
  const limited = overview.limits.some((change) => change.limit !== null);
  const current = useMemo(() => pathTo(branches, newest), [branches, newest]);
  const path = useMemo(() => pathTo(branches, cursor.at), [branches, cursor.at]);
  const left = useMemo(() => abandoned(branches), [branches]);
  const columns = useMemo(
    () => detail.columns.filter((column) => column.version >= view.from - detail.step && column.version <= view.to + detail.step),
    [detail, view],
  );
  const groups = useMemo(
    () => grouped(overview.marks === detail.marks ? overview.marks : merged(overview, detail), toX, place.left, place.right, shown),
    [overview, detail, toX, place, shown],
  );
  const perVersion = (place.right - place.left) / Math.max(1, view.to - view.from);
  const named = perVersion >= ROOM_FOR_NAMES && !mini ? groups.filter((group) => group.kind === "decision").map((group) => group.mark.version) : [];
  const begin = useBeginnings(overview.session, named);
  const toY = (version: number, tokens: number) => place.bottom - Math.min(1, share(version, tokens)) * (place.bottom - place.top);

  useLayoutEffect(() => {
    const element = canvas.current!;
    const context = element.getContext("2d");
    if (!width || !context) return;
    const density = devicePixelRatio || 1;
    if (element.width !== Math.round(width * density) || element.height !== Math.round(place.height * density)) {
      element.width = Math.round(width * density);
      element.height = Math.round(place.height * density);
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    paint(
      context,
      { columns, overview: overview.columns, calls: detail.calls, share, limited, path, current, cursor: cursor.at, pin: cursor.pin, newest, view },
      place,
      toX,
      coloursOf(element),
    );
  }, [columns, overview, detail, share, limited, path, current, cursor.at, cursor.pin, newest, view, place, toX, width, theme]);

  // React listens to wheels passively, and a passive listener cannot keep the page from zooming.
  const wheel = useRef<(event: WheelEvent) => void>(() => {});
  wheel.current = (event) => {
    event.preventDefault();
    const x = event.clientX - frame.current!.getBoundingClientRect().left;
    if (event.ctrlKey || event.metaKey) setView(zoom(view, Math.exp(event.deltaY / 300), versionAt(place, view, x, newest), newest));
    else setView(pan(view, ((event.deltaX || event.deltaY) / (place.right - place.left)) * (view.to - view.from), newest));
  };
  useEffect(() => {
    const element = frame.current!;
    const turn = (event: WheelEvent) => wheel.current(event);
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, []);

  function snap(x: number): number {
    const near = groups.filter((group) => Math.abs(group.x - x) < SNAP).sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
    return near ? near.mark.version : versionAt(place, view, x, newest);
  }
  const gestures = useGestures({ element: svg, place, view, newest, snap, move: cursor.move, movePin: cursor.movePin, setView, hover: setHovered });

  const flag = (kind: "cursor" | "pin", version: number) => {
    const column = columnAt(detail.columns, version) ?? columnAt(overview.columns, version);
    const tokens = column?.tokens ?? 0;
    const limit = limitAt(overview.limits, version);
    const time = column ? minutes(column.at) : "";
    const full = limit ? percent(tokens / limit) : `${count(tokens)} tokens`;
    const now = version === newest;
    const label = kind === "pin" ? `pinned v${version}` : now ? `v${count(version)} now` : place.small ? `v${version}` : `v${count(version)} · ${time}`;
    return (
      <Cursor
        kind={kind}
        version={version}
        newest={newest}
        label={label}
        said={`version ${version}, ${time}, ${full}${runOf(left, version) ? ", abandoned" : ""}`}
        x={toX(version)}
        y={toY(version, tokens)}
        place={place}
      />
    );
  };

  return (
    <div className="chart" ref={frame} style={{ height: place.height }}>
      <canvas ref={canvas} aria-hidden="true" />
      {width > 0 && (
        <svg ref={svg} height={place.height} viewBox={`0 0 ${width} ${place.height}`} {...gestures}>
          <defs>
            <clipPath id="plot">
              <rect x={place.left - 1} y="0" width={Math.max(0, place.right - place.left + 2)} height={place.height} />
            </clipPath>
          </defs>
          <Axis place={place} view={view} toX={toX} newest={newest} columns={detail.columns} times={times} limited={limited} most={mostText(overview)} />
          <g clipPath="url(#plot)">
            {!mini && <Lanes abandoned={left} forks={forks} path={path} current={current} cursor={cursor.at} view={view} place={place} toX={toX} />}
            <Dots view={view} place={place} toX={toX} gone={(version) => runOf(left, version) !== undefined} />
            <MarkLabels groups={groups} place={place} perVersion={perVersion} title={(version) => mapped(begin(version), titleOf)} />
            <Marks groups={groups} place={place} toY={toY} selected={selected} />
          </g>
          {!mini && <Overview place={place} view={view} cursor={cursor.at} newest={newest} />}
          {cursor.pin !== null && inSight(cursor.pin, view) && flag("pin", cursor.pin)}
          {inSight(cursor.at, view) && flag("cursor", cursor.at)}
        </svg>
      )}
      {hovered !== null && (
        <Tooltip
          x={Math.max(110, Math.min(width - 130, hovered))}
          version={snap(hovered)}
          timeline={detail}
          limits={overview.limits}
          marks={overview.marks}
          gone={(version) => runOf(left, version) !== undefined}
        />
      )}
    </div>
  );
}

const mapped = <In, Out>(value: In | undefined, map: (value: In) => Out): Out | undefined => (value === undefined ? undefined : map(value));

const inSight = (version: number, view: View) => version >= view.from - 0.5 && version <= view.to + 0.5;

/** Marks of the whole session, with the decisions that only the detail lists. */
function merged(overview: TimelineDocument, detail: TimelineDocument) {
  const known = new Set(overview.marks.map((mark) => mark.version));
  return [...overview.marks, ...detail.marks.filter((mark) => !known.has(mark.version))].sort((a, b) => a.version - b.version);
}

function mostText(overview: TimelineDocument): string {
  const most = Math.max(0, ...overview.columns.map((column) => column.high));
  return limitText(most >= 1000 ? Math.round(most / 1000) * 1000 : most);
}
