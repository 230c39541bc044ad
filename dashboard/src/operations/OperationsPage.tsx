export function OperationsPage() {
  return <main className="whole" />;
}
