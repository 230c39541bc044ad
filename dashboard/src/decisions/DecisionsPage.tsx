export function DecisionsPage() {
  return <main className="whole" />;
}
