/** Renders a component as the page does, with a service that answers from a table. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, type RenderResult } from "@testing-library/react";
import type { ReactElement } from "react";
import { vi } from "vitest";
import { go } from "../address/address";

type Answers = Record<string, (address: URL, init?: RequestInit) => unknown>;

export interface Shown extends RenderResult {
  /** The addresses that were asked, with their methods. */
  asked: string[];
}

/** `answers` are by the end of a path; what is not there is answered with 404. */
export function show(element: ReactElement, answers: Answers = {}, at = "/"): Shown {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (to: string, init?: RequestInit) => {
    const address = new URL(to, "http://127.0.0.1");
    asked.push(`${init?.method ?? "GET"} ${address.pathname}${address.search}`);
    const name = Object.keys(answers).find((path) => address.pathname.endsWith(path));
    const answer = name === undefined ? { title: "Not found", status: 404 } : answers[name]!(address, init);
    return Promise.resolve(new Response(JSON.stringify(answer), { status: name === undefined ? 404 : 200 }));
  });
  go(at);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return Object.assign(render(<QueryClientProvider client={queries}>{element}</QueryClientProvider>), { asked });
}
