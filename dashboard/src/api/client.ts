/** Requests to the service. The cookie says who asks; what writes also sends the token of that cookie. */
import type { Params } from "../address/address";
import type { LoginDocument, ProblemDocument } from "./schema";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<ProblemDocument>,
  ) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  constructor() {
    super("The service does not answer.");
  }
}

type Query = Params | [string, string | number][];

let csrf: string | null = null;
let keyNeeded: () => void = () => {};

/** Says what to do when a request is refused for want of a key. */
export function onKeyNeeded(then: () => void): void {
  keyNeeded = then;
}

export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Array.isArray(query) ? query : Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.append(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

async function request<T>(method: string, path: string, query: Query, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  let response: Response;
  try {
    response = await fetch(addressOf(path, query), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = { detail: text.slice(0, 200) };
  }
  if (response.ok) return answer as T;
  const problem = answer as ProblemDocument;
  if (response.status === 401 && path !== "/login") keyNeeded();
  throw new ApiError(response.status, problem);
}

/** Reads. Nothing is recorded by it. */
export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return request<T>("GET", path, query, undefined, signal);
}

/** Writes. */
export function post<T>(path: string, body: unknown = {}, query: Query = {}): Promise<T> {
  return request<T>("POST", path, query, body);
}

export const API = "/api/v1";

/** The path of something of a session. */
export function ofSession(session: string, rest: string): string {
  return `${API}/sessions/${encodeURIComponent(session)}${rest}`;
}

export async function whoAmI(): Promise<LoginDocument> {
  const login = await get<LoginDocument>("/login");
  csrf = login.csrf;
  return login;
}

export async function logIn(key: string): Promise<LoginDocument> {
  const login = await post<LoginDocument>("/login", { key });
  csrf = login.csrf;
  return login;
}

export async function logOut(): Promise<void> {
  await post("/logout");
  csrf = null;
}

/** A request as a command for a shell. */
export function asCurl(path: string, query: Query = {}): string {
  const address = new URL(addressOf(path, query), location.origin);
  return `curl -s -H "Authorization: Bearer $BACKSTORY_KEY" '${String(address).replaceAll("'", "%27")}'`;
}
