import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const service = process.env.BACKSTORY_URL ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../interfaces/http/page",
    emptyOutDir: true,
    // The service forbids inline scripts and styles, and data: addresses except for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    // One file, of which 200 kB are sent.
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/login", "/logout", "/readyz", "/openapi.json", "/docs"].map((path) => [
        path,
        // The service admits only its own page without a key: it is asked under its own address.
        { target: service, changeOrigin: true, ws: true, headers: { origin: service } },
      ]),
    ),
  },
  test: {
    environment: "happy-dom",
    globals: true,
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
