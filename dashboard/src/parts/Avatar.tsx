import "./Avatar.css";

interface Props {
  name: string;
  /** People have a round one, agents a square. */
  person?: boolean;
}

/** The first letter of a name on a tile. */
export function Avatar({ name, person }: Props) {
  return (
    <span className={person ? "avatar person" : "avatar"} title={name} aria-hidden="true">
      {[...name][0]?.toUpperCase() ?? "?"}
    </span>
  );
}

/** Several names, overlapping. */
export function Avatars({ names, most = 4 }: { names: string[]; most?: number }) {
  return (
    <span className="avatars" role="img" aria-label={names.join(", ")}>
      {names.slice(0, most).map((name) => (
        <Avatar key={name} name={name} person={name === "user"} />
      ))}
    </span>
  );
}
