import { useQueryClient } from "@tanstack/react-query";
import type { LoginDocument } from "../api/schema";

/** Whether whoever looks may also write. A key that may only read sees no buttons that would be refused. */
export function useMayWrite(): boolean {
  return useAction() !== "read";
}

/** Whether whoever looks may run jobs and manage keys. */
export function useMayOperate(): boolean {
  return ["operate", "admin"].includes(useAction() ?? "");
}

function useAction(): string | null | undefined {
  return useQueryClient().getQueryData<LoginDocument>(["login"])?.action;
}
