/** Live updates: one WebSocket for the whole page, that comes back by itself and asks again for what was followed. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface LiveMessage {
  type: "event" | "tiers" | "window" | "subscribed" | "unsubscribed" | "problem" | "dropped";
  to?: string;
  session?: string;
  project?: string;
  id?: number;
  after?: number;
  reason?: string;
  event?: { session: string; version: number; type: string; actor: string | null; occurred_at: string };
  [field: string]: unknown;
}

interface Followed {
  subscribe: "events" | "tiers" | "window";
  session?: string;
  project?: string;
}

export interface Connection {
  state: "connecting" | "live" | "lost";
  /** When it was last known to be live, in milliseconds. */
  lastAt: number | null;
}

type Handler = (message: LiveMessage) => void;
const nameOf = (followed: Followed) => `${followed.subscribe} ${followed.session ?? ""} ${followed.project ?? ""}`;

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

class Live {
  private socket: WebSocket | null = null;
  private followed = new Map<string, { what: Followed; after: number | null; handlers: Set<Handler> }>();
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchers = new Set<() => void>();
  connection: Connection = { state: "connecting", lastAt: null };

  follow(what: Followed, handler: Handler): () => void {
    const name = nameOf(what);
    const known = this.followed.get(name);
    if (known) {
      known.handlers.add(handler);
    } else {
      this.followed.set(name, { what, after: null, handlers: new Set([handler]) });
      if (this.socket?.readyState === WebSocket.OPEN) this.send(what);
      else this.open();
    }
    return () => this.leave(name, handler);
  }

  private leave(name: string, handler: Handler): void {
    const known = this.followed.get(name);
    if (!known?.handlers.delete(handler) || known.handlers.size) return;
    this.followed.delete(name);
    const { subscribe, ...rest } = known.what;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ unsubscribe: subscribe, ...rest }));
  }

  private send(what: Followed, after?: number | null): void {
    this.socket?.send(JSON.stringify(after == null ? what : { ...what, after }));
  }

  private open(): void {
    if (this.socket || this.timer) return;
    const address = new URL("/api/v1/live/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.tell("live");
      for (const { what, after } of this.followed.values()) this.send(what, what.subscribe === "events" ? after : null);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as LiveMessage);
    socket.onclose = () => {
      this.socket = null;
      this.tell("lost");
      if (!this.followed.size) return;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        if (this.followed.size) this.open();
      }, this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  private receive(message: LiveMessage): void {
    this.connection = { ...this.connection, lastAt: Date.now() };
    const subscribe = message.type === "event" ? "events" : message.type === "tiers" || message.type === "window" ? message.type : message.to;
    const known = this.followed.get(nameOf({ subscribe, session: message.session, project: message.project } as Followed));
    if (!known) return;
    if (message.type === "event") known.after = message.id ?? known.after;
    if (message.type === "subscribed") known.after = message.after ?? known.after;
    if (message.type === "dropped") this.send(known.what, message.after ?? known.after);
    known.handlers.forEach((handler) => handler(message));
  }

  private tell(state: Connection["state"]): void {
    const lastAt = state === "live" ? Date.now() : this.connection.lastAt;
    this.connection = { state, lastAt };
    this.watchers.forEach((watcher) => watcher());
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
}

const live = new Live();

/** Calls a handler with every message of a subscription. */
export function useLive(what: Followed | null, handler: Handler): void {
  const newest = useRef(handler);
  newest.current = handler;
  const name = what && nameOf(what);
  useEffect(() => {
    if (!what) return;
    return live.follow(what, (message) => newest.current(message));
    // The name says all of it.
  }, [name]);
}

/** Whether live updates come. */
export function useConnection(): Connection {
  return useSyncExternalStore(live.watch, () => live.connection);
}
