import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { App } from "./App";
import "./styles/tokens.css";
import "./styles/base.css";
import "./parts/controls.css";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // What was refused is refused again; what did not answer may answer now.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      retryDelay: (attempt) => 500 * 2 ** attempt,
    },
  },
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
