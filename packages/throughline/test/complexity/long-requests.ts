import type { Answer } from "../../../server/test/request.ts";

type Fields = Record<string, unknown>;

/** Values that later requests take from earlier answers. */
export interface Found {
  memoryId: string;
  journalId: string;
  /** Memories as an export has them, to be multiplied. */
  exported: { readonly memories: readonly Fields[] };
}

export interface LongRequest {
  readonly name: string;
  readonly method: string;
  path(found: Found): string;
  body?(found: Found): Fields;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fails if the answer shows that the work was not done. Gets the bytes that reached the model's server. */
  check?(answer: Answer, found: Found, forwarded: number): void;
}

export interface Sizes {
  readonly memories: number;
  /** Messages of one append or of one ingest. */
  readonly messages: number;
  readonly proxyMessages: number;
  /** Bytes of the largest body. */
  readonly bytes: number;
  /** Characters of a pasted list of facts. */
  readonly pasted: number;
}

/** At the limits: 32 MiB a body, 2,000 messages an append, 400,000 characters of a pasted list; and 10,000 memories. */
export const MAX_SIZES: Sizes = {
  memories: 10_000,
  messages: 2_000,
  proxyMessages: 3_000,
  bytes: 30_000_000,
  pasted: 400_000,
};

/** Characters of one text that the proxy reads; it forwards longer ones unchanged. */
const MAX_PROXY_TEXT = 8_000_000;
const QUESTION = "Which port does the service use?";

const sentence = (at: number) => `The service number ${at} uses port ${8_000 + at} and database ${at % 7}.`;

function textOf(bytes: number): string {
  const sentences: string[] = [];
  for (let at = 0, size = 0; size < bytes; at += 1) {
    const next = sentence(at);
    sentences.push(next);
    size += next.length + 1;
  }
  return sentences.join("\n").slice(0, bytes);
}

function talk(count: number, bytes: number, field: "content" | "text" = "content"): readonly Fields[] {
  const text = textOf(Math.floor(bytes / count) - 60);
  return Array.from({ length: count }, (_, at) => ({
    role: at % 2 ? "assistant" : "user",
    [field]: `${sentence(at)} ${text}`,
  }));
}

/** A tool call whose input or output is a long list of numbers. */
function numbers(bytes: number, place: "input" | "output"): readonly Fields[] {
  const values = Array.from({ length: Math.floor(bytes / 8) }, (_, at) => 1_000_000 + ((at * 7_919) % 8_999_999));
  const about = { toolCallId: "call", toolName: "read" };
  const output = place === "output" ? { type: "json", value: values } : { type: "text", value: "ok" };
  return [
    { role: "user", content: "Read it." },
    { role: "assistant", content: [{ type: "tool-call", ...about, input: place === "input" ? { values } : {} }] },
    { role: "tool", content: [{ type: "tool-result", ...about, output }] },
  ];
}

const TOOLS = "Docker Redis Kafka Nginx Vitest Postgres Terraform Ansible Grafana Webpack".split(" ");

/** Facts of which every third repeats the one before it. */
function manyMemories({ exported }: Found, count: number): Fields {
  // With a category they would be facts of a chat, of which there are at most 150.
  const { key: _, value: __, subject: ___, category: ____, ...example } = exported.memories.at(-1) ?? {};
  const memories = Array.from({ length: count }, (_, at) => {
    const fact = at % 3 === 2 ? at - 1 : at;
    const full = `Team ${fact} uses ${TOOLS[fact % TOOLS.length]} version ${fact} for service ${fact % 500}.`;
    const id = `mem_many${String(at).padStart(6, "0")}`;
    return { ...example, id, levels: { full, summary: full, compressed: full, index: full } };
  });
  return { ...exported, memories, turns: [], contradictions: [], journal: [] };
}

const post = (
  name: string,
  path: string | ((found: Found) => string),
  body: (found: Found) => Fields,
  check?: LongRequest["check"],
): LongRequest => ({
  name: `POST ${name}`,
  method: "POST",
  path: typeof path === "string" ? () => path : path,
  body,
  ...(check && { check }),
});

const get = (path: string, check?: LongRequest["check"]): LongRequest => ({
  name: `GET ${path}`,
  method: "GET",
  path: () => path,
  ...(check && { check }),
});

function refuse(isWrong: boolean, what: string): void {
  if (isWrong) throw new Error(what);
}

/** Checks that a field of the answer counts or lists at least `min` items. */
const atLeast =
  (field: string, min: number): LongRequest["check"] =>
  (answer) => {
    const value = (answer.json() as Fields)[field];
    const count = Array.isArray(value) ? value.length : Number(value);
    refuse(!(count >= min), `Expected ${field} of at least ${min}, got ${count}.`);
  };

/** The request went through a session and got shorter there. */
const isCompacted: LongRequest["check"] = ({ headers }, _, forwarded) => {
  refuse(headers["x-throughline-degraded"] !== undefined, `Degraded: ${headers["x-throughline-degraded"]}.`);
  refuse(!(Number(headers["x-throughline-compacted"]) > 0), "Nothing was compacted.");
  refuse(forwarded > 1_000_000, `The model's server got ${forwarded} bytes.`);
};

function proxied(title: string, messages: () => readonly Fields[]): LongRequest {
  const body = () => ({ model: "gpt-4o", messages: messages() });
  return post(`/v1/chat/completions: ${title}`, "/v1/chat/completions", body, isCompacted);
}

function mcpCall(name: string, input: () => Fields): LongRequest {
  return {
    ...post(`/mcp: ${name}`, "/mcp", () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input() },
    })),
    headers: { accept: "application/json, text/event-stream" },
    check: (answer) => {
      const text = answer.body.toString();
      const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
      refuse(error !== undefined || result.isError === true, text.slice(0, 500));
    },
  };
}

/** Requests that take long, in the order in which they fill the store. */
export function longRequests(sizes: Sizes): readonly LongRequest[] {
  return [...memoryRequests(sizes), ...sessionRequests(sizes), ...proxyRequests(sizes), ...mcpRequests(), ...purges()];
}

function memoryRequests({ memories, messages, bytes, pasted }: Sizes): readonly LongRequest[] {
  const shortLines = (at: number) => ({ text: `${"a\n".repeat(4_000)}${at}` });
  const list = (count: number) => Array.from({ length: count }, (_, at) => `- I use tool${at} for task${at % 50}`);
  const kilobytes = (at: number) => `${sentence(at)} ${textOf(90_000)}`;
  return [
    ...[1, 2, 3].map((at) => post(`/memories: 8 KB of short lines, ${at}`, "/memories", () => shortLines(at))),
    post("/memories/import: 400 KB of dots", "/memories/import", () => ({ data: ".".repeat(400_000), dry_run: true })),
    post(
      "/memories/import: the longest text",
      "/memories/import",
      () => ({ data: textOf(pasted), dry_run: true }),
      atLeast("proposed", 100),
    ),
    post(
      `/memories/import: a list of ${memories / 50}`,
      "/memories/import",
      () => ({ data: list(memories / 50).join("\n") }),
      atLeast("added", memories / 100),
    ),
    get("/memories/export", (answer, found) => {
      found.exported = answer.json() as Found["exported"];
    }),
    post(
      `/memories/import: ${memories} memories`,
      "/memories/import",
      (found) => ({ data: manyMemories(found, memories) }),
      atLeast("added", memories),
    ),
    post("/memories/import: the same again", "/memories/import", (found) => ({ data: manyMemories(found, memories) })),
    post(
      "/memories/import: the largest export",
      "/memories/import",
      (found) => ({ data: manyMemories(found, memories * 4.3), dry_run: true }),
      atLeast("added", memories * 3),
    ),
    post(
      "/memories/ingest: 100 rules",
      "/memories/ingest",
      () => ({
        session_id: "rules",
        messages: [{ role: "user", text: Array.from({ length: 100 }, (_, at) => `Always use tool${at}.`).join("\n") }],
      }),
      atLeast("memories", 1),
    ),
    post(
      `/memories/ingest: ${messages / 4} messages`,
      "/memories/ingest",
      () => ({ session_id: "many", messages: talk(messages / 4, messages * 250, "text") }),
      atLeast("turns", messages / 4),
    ),
    post(
      "/memories/ingest: one text of 1 MB",
      "/memories/ingest",
      () => ({ session_id: "one", messages: [{ role: "user", text: textOf(Math.min(bytes, 1_000_000)) }] }),
      atLeast("turns", 1),
    ),
    post(
      "/memories/search",
      "/memories/search",
      () => ({ query: QUESTION, limit: 200, cut: "none" }),
      atLeast("items", 1),
    ),
    post(
      "/context/assemble",
      "/context/assemble",
      () => ({ message: QUESTION, budget: 100_000 }),
      atLeast("token_count", 1),
    ),
    get("/memories?limit=200", atLeast("items", 100)),
    post(
      "/memories: 90 KB",
      "/memories",
      () => ({ text: kilobytes(1) }),
      (answer, found) => {
        found.memoryId = String((answer.json() as { memory: Fields }).memory.id);
      },
    ),
    {
      name: "PATCH /memories/{id}: 90 KB",
      method: "PATCH",
      path: ({ memoryId }) => `/memories/${memoryId}`,
      body: () => ({ text: kilobytes(2) }),
    },
    post(
      "/consolidate",
      "/consolidate",
      () => ({}),
      (answer, found) => {
        const { journal_id, deduped } = answer.json() as Fields;
        refuse(!(Number(deduped) >= memories / 5), `Only ${deduped} memories were merged.`);
        found.journalId = String(journal_id);
      },
    ),
    get("/journal?limit=50", atLeast("items", 1)),
    post(
      "/journal/{id}/undo",
      ({ journalId }) => `/journal/${encodeURIComponent(journalId)}/undo`,
      () => ({}),
      atLeast("memories", memories / 5),
    ),
    get("/memories/export"),
  ];
}

function sessionRequests({ messages, bytes }: Sizes): readonly LongRequest[] {
  const session = (id: string, content: () => readonly Fields[], title: string): readonly LongRequest[] => [
    post(`/sessions: ${id}`, "/sessions", () => ({ id, model_id: "gpt-4o", context_limit: 64_000 })),
    post(`/sessions/{id}/messages: ${title}`, `/sessions/${id}/messages`, () => ({ messages: content() })),
    post(`/sessions/{id}/prepare: ${title}`, `/sessions/${id}/prepare`, () => ({}), atLeast("messages", 1)),
    post(`/sessions/{id}/compact: ${title}`, `/sessions/${id}/compact`, () => ({})),
    get(`/sessions/${id}/messages?limit=200`, atLeast("items", 1)),
  ];
  return [
    ...session("many", () => talk(messages, bytes), `${messages} messages`),
    ...session("one", () => [{ role: "user", content: textOf(bytes) }], "one text"),
    ...session("input", () => numbers(bytes, "input"), "one tool call with many values"),
    ...session("output", () => numbers(bytes, "output"), "one tool result with many values"),
  ];
}

function proxyRequests({ proxyMessages, bytes }: Sizes): readonly LongRequest[] {
  const longest = Math.min(bytes, MAX_PROXY_TEXT - 1_000);
  const texts = Math.floor(bytes / longest);
  return [
    proxied(`${proxyMessages} messages`, () => talk(proxyMessages, bytes)),
    proxied(`${Math.floor(proxyMessages * 3.3)} short messages`, () =>
      talk(Math.floor(proxyMessages * 3.3), proxyMessages * 3_000),
    ),
    proxied("the longest text", () => [{ role: "user", content: textOf(longest) }]),
    proxied("many of the longest text", () => talk(texts, texts * longest)),
  ];
}

function mcpRequests(): readonly LongRequest[] {
  return [
    mcpCall("recall", () => ({ query: textOf(20_000) })),
    mcpCall("remember", () => ({ text: textOf(20_000) })),
    mcpCall("assemble_context", () => ({ message: textOf(20_000) })),
  ];
}

function purges(): readonly LongRequest[] {
  const erase = (name: string, path: LongRequest["path"]): LongRequest => ({ name, method: "DELETE", path });
  return [
    erase("DELETE /memories/{id}", ({ memoryId }) => `/memories/${memoryId}`),
    erase("DELETE /sessions/{id}: many messages", () => "/sessions/many"),
    erase("DELETE /sessions/{id}: one text", () => "/sessions/one"),
  ];
}
