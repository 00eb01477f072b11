import process from "node:process";
import { describe, expect, it } from "vitest";
import { type ApiServer, apiServer } from "../server/api-server.ts";

const isLong = process.env.THROUGHLINE_SOAK !== undefined;
/** Milliseconds of processor time for which one request may hold the thread; the short form only sees gross offences. */
const MAX_SLICE = isLong ? 250 : 1_000;
const MEMORIES = isLong ? 10_000 : 1_000;
const MESSAGES = isLong ? 2_000 : 500;

const server = apiServer();

/** The most processor time between two turns of the event loop while work is done. */
async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  let [last, longest, isOver] = [process.cpuUsage(), 0, false];
  const turn = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (!isOver) setTimeout(turn, 1);
  };
  turn();
  await work();
  isOver = true;
  return longest;
}

const sentence = (at: number) => `The service number ${at} uses port ${8_000 + at} and database ${at % 7}.`;
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `- I use tool${at} for task${at % 50}`).join("\n");
const talk = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: sentence(at).repeat(15) }));

/** Requests that were seen to hold the thread for seconds, in the order in which they fill the store. */
const REQUESTS: readonly (readonly [string, (api: ApiServer) => Promise<unknown>])[] = [
  ...Array.from({ length: 6 }, (_, at): (typeof REQUESTS)[number] => [
    `POST /memories: 8 KB of short lines, the ${at + 1}. time`,
    (api) => api.post("/memories", { text: `${"a\n".repeat(4_000)}${at}` }),
  ]),
  ["POST /memories/import: dots", (api) => api.post("/memories/import", { data: ".".repeat(400_000), dry_run: true })],
  ["POST /memories/import: a list", (api) => api.post("/memories/import", { data: lines(MEMORIES / 20) })],
  [
    "POST /memories/ingest: rules",
    (api) =>
      api.post("/memories/ingest", {
        session_id: "rules",
        messages: [{ role: "user", text: Array.from({ length: 100 }, (_, at) => `Always use tool${at}.`).join("\n") }],
      }),
  ],
  ["POST /memories/search", (api) => api.post("/memories/search", { query: "Which port does the service use?" })],
  ["POST /context/assemble", (api) => api.post("/context/assemble", { message: "Which port does the service use?" })],
  ["POST /consolidate", (api) => api.post("/consolidate", {})],
  ["POST /sessions", (api) => api.post("/sessions", { id: "s", model_id: "gpt-4o", context_limit: 64_000 })],
  ["POST /sessions/{id}/messages", (api) => api.post("/sessions/s/messages", { messages: talk(MESSAGES) })],
  ["POST /sessions/{id}/prepare", (api) => api.post("/sessions/s/prepare", {})],
  ["POST /sessions/{id}/compact", (api) => api.post("/sessions/s/compact", {})],
];

describe("no request holds the thread for long", () => {
  it.each(REQUESTS)("%s", async (_, send) => {
    expect(await longestSlice(() => send(server))).toBeLessThan(MAX_SLICE);
  });
});
