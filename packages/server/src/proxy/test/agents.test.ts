import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { countAll, type Reply } from "../../../test/provider/provider.ts";
import { type Exchange, type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { startProxy } from "./proxy.fixture.ts";
import { CLIENTS, openClient } from "./wire-clients.fixture.ts";

const isLong = Boolean(process.env.THROUGHLINE_SOAK);
const RUNS = isLong ? 500 : 2;
const TASK = "Tidy up the project in app. Never touch app/legacy.";
/** One pixel. */
const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let upstream: ProviderServer;
beforeAll(async () => {
  upstream = await startProviderServer();
});
afterAll(() => upstream.close());

/** One user turn of the agent: how much it reads at a time, and which results it gets. */
const turn = fc.record({
  steps: fc.array(fc.array(fc.integer({ min: 1, max: 240 }), { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
  says: fc.boolean(),
  image: fc.boolean(),
});
const run = fc.record({
  kind: fc.constantFrom(...CLIENTS),
  model: fc.constantFrom("gpt-4o", "claude-sonnet-4-5", "local"),
  believed: fc.constantFrom(7_000, 16_000, 64_000),
  real: fc.constantFrom(6_000, 9_000, 14_000),
  bias: fc.constantFrom(0.9, 1, 1.15, 1.3),
  maxTokens: fc.constantFrom(300, 1_200, 2_200),
  turns: fc.array(turn, { minLength: 2, maxLength: 5 }),
  streams: fc.infiniteStream(fc.boolean()),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? Omit<T, "streams"> & { streams: Iterator<boolean> } : never;

let ids = 0;

function scriptOf({ steps, says }: Run["turns"][number], index: number): readonly Reply[] {
  return [
    ...steps.map((sizes) => ({
      ...(says && { text: "Let me look. " }),
      calls: sizes.map((size) => ({ id: `call_${ids++}`, name: "read", input: { size } })),
    })),
    { text: `Done with ${index}.` },
  ];
}

/** The outcome of one request. */
interface Asked {
  readonly sent: string;
  readonly compacted: number;
  readonly session: string | null;
  readonly exchanges: readonly Exchange[];
}

/** Request fields other than the conversation. */
function settingsOf(kind: Run["kind"], model: string, maxTokens: number, stream: boolean): object {
  if (kind.startsWith("gemini")) return { generationConfig: { temperature: 0.5, maxOutputTokens: maxTokens } };
  const limit = kind.startsWith("responses") ? { max_output_tokens: maxTokens } : { max_tokens: maxTokens };
  return { model, ...limit, temperature: 0.5, ...(stream && { stream }) };
}

/** Runs a whole conversation through the proxy with any kind of client. */
async function converse({ kind, model, believed, real, bias, maxTokens, turns, streams }: Run) {
  const store = inProcessStore();
  const proxy = await startProxy({
    store,
    model: { url: upstream.url },
    anthropic: { url: upstream.url },
    gemini: { url: upstream.url },
    contextLimits: { [model]: believed },
  });
  Object.assign(upstream.provider, { limit: real, bias });
  const client = openClient(kind);
  const requests: string[] = [];
  const asked: Asked[] = [];
  const request = async (reply: Reply): Promise<void> => {
    upstream.provider.answer = () => reply;
    const stream = streams.next().value === true;
    const sent = JSON.stringify({ ...settingsOf(kind, model, maxTokens, stream), ...client.body() });
    const from = upstream.log.length;
    const address = client.address?.(model, stream) ?? `/v1/${client.path}`;
    const answer = await fetch(new URL(address, proxy.url), { method: "POST", body: sent });
    const got = await answer.text();
    const exchanges = upstream.log.slice(from);
    expect(answer.status, got).toBe(200);
    expect(got).toBe(exchanges.at(-1)?.answer);
    expect(answer.headers.get("x-throughline-degraded")).toBeNull();
    const compacted = Number(answer.headers.get("x-throughline-compacted"));
    asked.push({ sent, compacted, session: answer.headers.get("x-throughline-session"), exchanges });
    const last = stream ? got.slice(got.lastIndexOf("data: ") + "data: ".length) : got;
    const raw = kind.startsWith("responses") ? JSON.parse(last) : {};
    client.read(reply, stream ? raw.response : raw);
  };
  for (const [index, one] of turns.entries()) {
    const said = index === 0 ? TASK : `Request ${index}: look at chapter ${index} and header me what is new.`;
    requests.push(said);
    client.say(said, one.image ? IMAGE : undefined);
    for (const reply of scriptOf(one, index)) {
      await request(reply);
      const results = (reply.calls ?? []).map(({ id, input }) => ({
        id,
        text: "a line of what was read\n".repeat((input as { size: number }).size),
        ...(one.image && { image: IMAGE }),
      }));
      if (results.length > 0) client.results(results);
    }
  }
  expect(proxy.errors).toEqual([]);
  const throughline = await proxy.throughline();
  const sessions = await throughline.sessions();
  const history = await throughline.session(sessions[0]?.sessionId ?? "").history();
  await proxy.close();
  return { asked, requests, sessions, history };
}

const seen = { untouched: 0, compacted: 0, overflows: 0 };

/** Checks the invariants of every request of a conversation. */
function checkRequests(one: Run, asked: readonly Asked[], requests: readonly string[]): void {
  let known = 0;
  let hasShrunk = false;
  for (const { sent, compacted, exchanges } of asked) {
    const last = exchanges.at(-1)?.body ?? "";
    for (const { refusal, isOverflow } of exchanges) expect(refusal === undefined || isOverflow, refusal).toBe(true);
    // The third is for a provider that first counts only the input, and counts the reply in its next refusal.
    expect(exchanges.length).toBeLessThanOrEqual(3);
    // All user requests so far are in the request, unless the upstream already has them. Only the last resort, which
    // the response reports, drops messages between the task and the latest request.
    known = Math.max(known, requests.filter((text) => sent.includes(text)).length);
    const wanted = last.includes("previous_response_id") ? [] : requests.slice(0, known);
    const isTrimmed = last.includes("left out here; recall them as");
    for (const text of isTrimmed ? [TASK, wanted.at(-1)] : wanted) expect(last).toContain(text);
    if (!hasShrunk && isSmall(sent, one))
      expect({ compacted, tries: exchanges.length }).toEqual({ compacted: 0, tries: 1 });
    if (compacted === 0) expect(last).toBe(sent);
    hasShrunk ||= compacted > 0;
    seen[compacted === 0 ? "untouched" : "compacted"] += 1;
    seen.overflows += exchanges.length - 1;
  }
}

/** True if a request certainly fits, even if the provider's counts make it look larger. */
function isSmall(sent: string, { kind, believed, real, maxTokens }: Run): boolean {
  const images = sent.split(IMAGE).length - 1;
  const tokens = countAll(JSON.parse(sent), { ...upstream.provider, bias: 2.5 }) + images * 300;
  return kind !== "responses by id" && tokens < Math.min(believed, real) - maxTokens;
}

describe("an agent whose run exceeds its context window", () => {
  const steps = Array.from({ length: 8 }, (_, index) => (index % 4 === 0 ? [150, 60] : [150]));
  const turns = [0, 1].map(() => ({ steps, says: true, image: false }));
  const long = { model: "local", believed: 16_000, real: 9_000, bias: 1, maxTokens: 300, turns } as const;

  /** One client of each wire format; the random runs below draw from all clients. */
  const kinds = isLong ? CLIENTS : (["messages with thinking", "responses by reference", "gemini"] as const);

  it.each(kinds)("has no request refused after compactions: %s", async (kind) => {
    const one = { ...long, kind, streams: [true, false].values() };
    const { asked, requests, sessions } = await converse(one);
    expect(sessions).toHaveLength(1);
    checkRequests(one, asked, requests);
    if (kind !== "responses by id") expect(asked.filter(({ compacted }) => compacted > 0).length).toBeGreaterThan(3);
  });
});

describe("random agents of all kinds, through the proxy, with a provider that refuses like the real ones", () => {
  it("are never refused, keep one session and every request, and are forwarded byte for byte until they must shrink", async () => {
    await fc.assert(
      fc.asyncProperty(run, async (one) => {
        const { asked, requests, sessions, history } = await converse(one);
        expect(new Set(asked.map(({ session }) => session)).size).toBe(1);
        expect(sessions).toHaveLength(1);
        const said = history.filter(({ role }) => role === "user").flatMap(({ parts }) => parts.slice(0, 1));
        expect(said.map((part) => part.type === "text" && part.text)).toEqual(requests);
        checkRequests(one, asked, requests);
      }),
      { numRuns: RUNS },
    );
    expect(seen.untouched + seen.compacted).toBeGreaterThan(RUNS);
    // A few runs may all be small.
    if (isLong) expect(Math.min(seen.untouched, seen.compacted, seen.overflows)).toBeGreaterThan(RUNS / 2);
  });
});
