// Memories on a server, for tests of the Memories page.

type Fields = Readonly<Record<string, unknown>>;

/** Calls a server and fails on an error status. */
async function call(url: string, path: string, body: Fields, project?: string): Promise<Fields> {
  const headers = { "content-type": "application/json", ...(project && { "x-throughline-project": project }) };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Fields;
}

/** Stores the data of a typical user: facts of two projects, a conflict, duplicates and new memories. */
export async function storeMemories(url: string): Promise<void> {
  const save = (body: Fields, project?: string) => call(url, "/memories", body, project);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const messages = [
    { id: "m1", role: "user", text: "Some context first. We always deploy on Fridays. Thanks!", at: daysAgo(120) },
    { id: "m2", role: "user", text: "I live in Lisbon.", at: daysAgo(40) },
    { id: "m3", role: "user", text: "We never push to main without a review.", at: daysAgo(6), name: "Ben" },
  ];
  await call(url, "/memories/ingest", { session_id: "talk", messages }, "/home/ada/shop");
  await save({ text: "The team uses Jest for tests", valid_from: "2026-01-05T00:00:00Z" }, "/home/ada/shop");
  const { items } = (await (await fetch(`${url}/memories/browse?project=*&query=Jest`)).json()) as {
    items: readonly { readonly memory: { readonly id: string } }[];
  };
  const replaced = items[0]?.memory.id ?? "";
  await save(
    { text: "The team uses Vitest for tests", replaces: [replaced], valid_from: "2026-03-05T00:00:00Z" },
    "/home/ada/shop",
  );
  const source = { session_id: "talk", message_id: "m1", quote: "Deploys are frozen in winter" };
  await save({ text: "Deploys are frozen in winter", source }, "/home/ada/shop");
  await save({ text: "To ship: make build, make ship", kind: "workflow", title: "Ship" }, "/home/ada/shop");
  await save({ text: "The office opens at 8." }, "/home/ada/garden");
  await save({ text: "The office does not open at 8." }, "/home/ada/garden");
  await call(url, "/consolidate", {}, "/home/ada/garden");
}

/** Stores a long list of facts. */
export async function storeMany(url: string, count: number): Promise<void> {
  const now = Date.now();
  const memories = Array.from({ length: count }, (_, at) => {
    const text = `Crate ${at} holds the parts of machine ${(at * 7) % 997}`;
    const time = now - 60_000 * at;
    return {
      id: `mem_many${String(count - at).padStart(8, "0")}`,
      kind: "fact",
      levels: { full: text, summary: text, compressed: text, index: `crate ${at}` },
      aliases: [],
      confidence: 0.6,
      mentions: 1,
      pinned: false,
      byHand: true,
      owner: "local",
      scope: "user-private",
      createdAt: time,
      lastSeenAt: time,
      validFrom: time,
      usage: { retrieved: 0, cited: 0, ignored: 0 },
      source: {},
      artifacts: [],
      links: [],
    };
  });
  const data = { format: "throughline-memory", version: 1, exportedAt: now, memories, turns: [], contradictions: [] };
  await call(url, "/memories/import", { data });
}
