import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAddress } from "../address/address";
import { Link } from "../address/Link";
import { logOut } from "../api/client";
import type { LoginDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { SearchField } from "../search/SearchField";
import { Brand } from "./Brand";
import { ConnectionLine } from "./ConnectionLine";
import { ThemeButton } from "./ThemeButton";
import "./TopBar.css";

const PAGES = [
  { path: "/", name: "Sessions" },
  { path: "/memory", name: "Memory" },
  { path: "/decisions", name: "Decisions" },
  { path: "/operations", name: "Operations" },
];

interface Props {
  /** The path of a session in place of the pages' names. */
  children?: ReactNode;
}

export function TopBar({ children }: Props) {
  const { path } = useAddress();
  return (
    <>
      <header className="top-bar">
        <Link to="/" aria-label="Backstory, all sessions">
          <Brand />
        </Link>
        {children ?? (
          <nav className="pages grow" aria-label="Pages">
            {PAGES.map((page) => (
              <Link key={page.path} to={page.path} aria-current={page.path === path ? "page" : undefined}>
                {page.name}
              </Link>
            ))}
          </nav>
        )}
        <SearchField />
        <ThemeButton />
        <Account />
      </header>
      <ConnectionLine />
    </>
  );
}

function Account() {
  const queries = useQueryClient();
  const login = queries.getQueryData<LoginDocument>(["login"]);
  if (!login?.csrf) return null;
  return (
    <button
      className="button quiet"
      title={`Logged in with the key ${login.name}, which may ${login.action}`}
      // Loaded anew, the page remembers nothing of what the key could see.
      onClick={() => void logOut().then(() => location.reload())}
    >
      <Icon name="key" small />
      <span className="hide-small">Log out</span>
    </button>
  );
}
