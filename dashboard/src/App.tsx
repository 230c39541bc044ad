/** The page: a top bar, and below it the view that the address names. */
import { useAddress } from "./address/address";
import { DecisionsPage } from "./decisions/DecisionsPage";
import { MemoryPage } from "./memory/MemoryPage";
import { OperationsPage } from "./operations/OperationsPage";
import { SearchPage } from "./search/SearchPage";
import { SessionPage } from "./session/SessionPage";
import { SessionsPage } from "./sessions/SessionsPage";
import { Guarded } from "./shell/Guarded";
import { NotFound } from "./shell/NotFound";
import { TopBar } from "./shell/TopBar";
import "./App.css";

export function App() {
  const { path } = useAddress();
  return (
    <Guarded>
      <div className="app">
        <View path={path} />
      </div>
    </Guarded>
  );
}

function View({ path }: { path: string }) {
  const [first = "", second, ...rest] = path.split("/").slice(1).map(decodeURIComponent);
  if (first === "sessions" && second) return <SessionPage key={second} session={second} rest={rest} />;
  return (
    <>
      <TopBar />
      <Whole first={first} />
    </>
  );
}

function Whole({ first }: { first: string }) {
  switch (first) {
    case "":
    case "sessions":
      return <SessionsPage />;
    case "search":
      return <SearchPage />;
    case "memory":
      return <MemoryPage />;
    case "decisions":
      return <DecisionsPage />;
    case "operations":
      return <OperationsPage />;
    default:
      return <NotFound />;
  }
}
