import { useState, type FormEvent } from "react";
import { logIn } from "../api/client";
import type { LoginDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { Problem } from "../parts/States";
import { Brand } from "./Brand";
import "./KeyForm.css";

interface Props {
  expired: boolean;
  then: (login: LoginDocument) => void;
}

/** The form for a key. The key is sent once; a cookie stands for it afterwards. */
export function KeyForm({ expired, then }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    setBusy(true);
    setError(null);
    try {
      then(await logIn(key));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  }

  return (
    <main className="key-form">
      <form className="box" onSubmit={(event) => void submit(event)}>
        <Brand />
        <h1>{expired ? "Your login is over" : "This service needs a key"}</h1>
        <p className="text-2">
          A key that may read is enough to look. <code>backstory keys create</code> makes one.
        </p>
        <label className="field">
          <Icon name="key" small />
          <input name="key" type="password" autoComplete="current-password" placeholder="bsk_…" aria-label="Key" required autoFocus />
        </label>
        {error !== null && <Problem title="The key was refused." error={error} />}
        <button className="button primary" disabled={busy}>
          Log in
        </button>
      </form>
    </main>
  );
}
