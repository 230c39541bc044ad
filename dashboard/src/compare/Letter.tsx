import "./Letter.css";

/** The sign of one of the two versions. */
export function Letter({ name }: { name: "A" | "B" }) {
  return <span className={`letter ${name === "A" ? "a" : "b"}`}>{name}</span>;
}
