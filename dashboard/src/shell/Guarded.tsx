/** Asks for a key where the service needs one, and shows the page otherwise. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { onKeyNeeded, whoAmI } from "../api/client";
import { Problem, Skeleton } from "../parts/States";
import { Crashes } from "./Crashes";
import { KeyForm } from "./KeyForm";

export function Guarded({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const login = useQuery({ queryKey: ["login"], queryFn: whoAmI, staleTime: Infinity });
  const [expired, setExpired] = useState(false);
  useEffect(() => onKeyNeeded(() => setExpired(true)), []);
  if (login.error) return <Problem title="The service could not be reached." error={login.error} retry={() => void login.refetch()} />;
  if (!login.data) return <Skeleton rows={8} />;
  if (expired || (login.data.required && login.data.action === null)) {
    return (
      <KeyForm
        expired={expired}
        then={(found) => {
          // What another key saw is not for this one. The login itself is watched, and stays.
          queries.removeQueries({ predicate: (query) => query.queryKey[0] !== "login" });
          queries.setQueryData(["login"], found);
          setExpired(false);
        }}
      />
    );
  }
  return <Crashes>{children}</Crashes>;
}
