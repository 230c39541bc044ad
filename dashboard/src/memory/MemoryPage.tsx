export function MemoryPage() {
  return <main className="whole" />;
}
