/** The views of a session: its tabs, in their order. A view gets the session and the version that the page stands at. */
import type { ComponentType } from "react";
import type { ShownSessionDocument } from "../api/schema";
import { CompareView } from "../compare/CompareView";
import { CompactionsView } from "../compaction/CompactionsView";
import { PromptsView } from "../prompt/PromptsView";
import type { Cursor } from "./cursor";
import { WindowView } from "./WindowView";

export interface SessionViewProps {
  session: ShownSessionDocument;
  /** The version that is shown: that of the cursor, or the newest. */
  version: number;
  /** Whether that is not the newest. */
  past: boolean;
  cursor: Cursor;
  /** The rest of the address: `/sessions/<id>/prompts/41` is `["41"]` for the view `prompts`. */
  rest: string[];
}

export interface SessionViewEntry {
  /** Its place in the address; that of the first is empty. */
  path: string;
  name: string;
  /** The number beside the name. */
  count?: (session: ShownSessionDocument) => number;
  component: ComponentType<SessionViewProps>;
  /** What the small timeline says below this view. The window has the large one. */
  timelineNote?: string;
}

export const VIEWS: SessionViewEntry[] = [
  { path: "", name: "Window", component: WindowView },
  { path: "prompts", name: "Prompts", count: (session) => session.model_calls, component: PromptsView, timelineNote: "The prompt as it was at this version" },
  { path: "compactions", name: "Compactions", component: CompactionsView, timelineNote: "The session stays live while you look" },
  { path: "compare", name: "Compare", component: CompareView, timelineNote: "Drag A or B to compare other versions" },
];
