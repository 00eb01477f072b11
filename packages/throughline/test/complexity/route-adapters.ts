import type { ApiServer } from "../../../server/test/api-server.ts";

/** Sends a text to a route, in place of a user's text. */
export type RouteAdapter = (server: ApiServer, text: string) => Promise<unknown>;

const ID = "takes an id, a number or a choice";
let count = 0;

/** Text fields of a memory take 10,000 characters; longer ones are refused before anything is read. */
const short = (text: string) => text.slice(0, 10_000);

async function inSession(server: ApiServer, text: string, path: string, body: object): Promise<unknown> {
  const id = `s${++count}`;
  await server.call("POST", "/sessions", { id, model_id: "gpt-4o", context_limit: 8_000 });
  await server.call("POST", `/sessions/${id}/messages`, { messages: [{ role: "user", content: text }] });
  return server.call("POST", `/sessions/${id}/${path}`, body);
}

const post =
  (path: string, bodyOf: (text: string) => object): RouteAdapter =>
  (server, text) =>
    server.call("POST", path, bodyOf(text));

/** Adapters that send text to each operation of the OpenAPI document, or the reason why it takes none. */
export const ROUTE_ADAPTERS: Readonly<Record<string, RouteAdapter | string>> = {
  "POST /sessions": ID,
  "GET /sessions": ID,
  "GET /sessions/{id}": ID,
  "DELETE /sessions/{id}": ID,
  "POST /sessions/{id}/messages": (server, text) =>
    inSession(server, text, "messages", { messages: [{ role: "assistant", content: text }] }),
  "GET /sessions/{id}/messages": ID,
  "GET /sessions/{id}/events": ID,
  "POST /sessions/{id}/prepare": (server, text) =>
    inSession(server, text, "prepare", { system: "Help.", message: short(text) }),
  "POST /sessions/{id}/compact": (server, text) => inSession(server, text, "compact", { focus: short(text) }),
  "POST /sessions/{id}/preview": (server, text) => inSession(server, text, "preview", {}),
  "POST /sessions/{id}/restore": ID,
  "POST /sessions/{id}/recall": ID,
  "POST /sessions/{id}/observe": ID,
  "GET /sessions/{id}/compactions": ID,
  "GET /sessions/{id}/receipts": ID,
  "GET /sessions/{id}/window": ID,
  "GET /sessions/{id}/edits": ID,
  "POST /sessions/{id}/edits": ID,
  "POST /sessions/{id}/edits/undo": ID,
  "POST /memories": post("/memories", (text) => ({ text: short(text) })),
  "GET /memories": ID,
  "POST /memories/search": post("/memories/search", (text) => ({ query: short(text) })),
  "POST /memories/ingest": post("/memories/ingest", (text) => ({
    session_id: `i${++count}`,
    messages: [{ role: "user", text }],
  })),
  "GET /memories/{id}": ID,
  "PATCH /memories/{id}": async (server, text) => {
    const { memory } = await server.post<{ memory: { id: string } }>("/memories", { text: `User has item ${++count}` });
    return server.call("PATCH", `/memories/${memory.id}`, { text: short(text) });
  },
  "POST /memories/{id}/pin": ID,
  "POST /memories/{id}/forget": ID,
  "DELETE /memories/{id}": ID,
  "POST /memories/{id}/cite": ID,
  "POST /memories/{id}/ignore": ID,
  "GET /memories/export": ID,
  "POST /memories/import": post("/memories/import", (text) => ({ data: text, dry_run: true })),
  "POST /consolidate": ID,
  "GET /contradictions": ID,
  "POST /contradictions/{id}/resolve": ID,
  "GET /projects": ID,
  ...Object.fromEntries(
    ["", "/{id}", "/{id}/diff", "/{id}/html", "/{id}/note", "/{id}/payload", "/{id}/window"].map((path) => [
      `GET /inspect/sessions${path}`,
      ID,
    ]),
  ),
  "GET /inspect/worst": ID,
  "GET /memories/audit": ID,
  "POST /memories/audit": post("/memories/audit", (text) => ({ data: text })),
  "GET /memories/browse": (server, text) =>
    server.call("GET", `/memories/browse?q=${encodeURIComponent(text.slice(0, 1_000))}`),
  "GET /memories/facets": ID,
  "GET /memories/{id}/evidence": ID,
  "GET /memories/{id}/history": ID,
  "GET /imports": ID,
  "POST /imports/{id}/undo": ID,
  "GET /journal": ID,
  "POST /journal/{id}/undo": ID,
  "POST /context/assemble": post("/context/assemble", (text) => ({
    message: short(text),
    signals: { recent_errors: [short(text)] },
  })),
  "POST /context/predict": post("/context/predict", (text) => ({ error: short(text) })),
  "POST /context/signals": post("/context/signals", (text) => ({ error: short(text) })),
  "POST /context/expand": ID,
  "GET /tokens": ID,
  "POST /tokens": ID,
  "DELETE /tokens/{id}": ID,
  "GET /jobs": ID,
  "POST /jobs/{id}/retry": ID,
  "GET /events": ID,
};
