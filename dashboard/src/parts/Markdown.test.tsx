import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

const html = (text: string) => render(<Markdown text={text} />).container;

test.each([
  ["<script>alert(1)</script>", "script"],
  ['<img src=x onerror="alert(1)">', "img"],
  ['<iframe src="https://elsewhere.example"></iframe>', "iframe"],
  ["<style>body{display:none}</style>", "style"],
  ["![pixel](https://elsewhere.example/p.png)", "img"],
  ['<svg onload="alert(1)"></svg>', "svg"],
])("%s makes no element", (text, element) => {
  const found = html(text);
  expect(found.querySelector(element)).toBeNull();
  expect(found.textContent).not.toBe("");
});

test.each(["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x"])("a link to %s goes nowhere", (address) => {
  const link = html(`[click](${address})`).querySelector("a");
  expect(link?.getAttribute("href") ?? "").toBe("");
});

test("links to the web open elsewhere and tell nobody", () => {
  const link = html("[docs](https://example.com/a)").querySelector("a")!;
  expect(link.href).toBe("https://example.com/a");
  expect(link.rel).toContain("noopener");
  expect(link.rel).toContain("noreferrer");
});

test("code, tables and lists are formatted", () => {
  const found = html("```\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done");
  expect(found.querySelector("pre code")?.textContent).toBe("x = 1\n");
  expect(found.querySelectorAll("td")).toHaveLength(2);
  expect(found.querySelector("li")?.textContent).toContain("☑");
});
