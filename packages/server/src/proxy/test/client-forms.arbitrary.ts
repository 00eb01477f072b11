import fc from "fast-check";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { startUpstream } from "../../../test/upstream.ts";
import { startProxy } from "./proxy.fixture.ts";

type Json = Record<string, unknown>;

/** Ways in which clients resend a conversation: the messages of an answer that they keep, and their form. */
export interface ClientForm {
  readonly wire: "messages" | "chat/completions";
  /** Messages kept of an answer. */
  readonly keep?: (answer: Json) => readonly Json[];
  /** Messages to send; the last ones are new. */
  readonly send?: (messages: readonly Json[]) => readonly Json[];
  /** Extra fields of a tool result. */
  readonly result?: Json;
}

const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  given: (text) => text,
  trimmed: (text) => text.trim(),
  wrapped: (text) => text.trim().split(/\s+/).join("\n"),
  dropped: () => "",
};
const textStyle = fc.constantFrom(...Object.keys(TEXTS));

const blocksOf = ({ content }: Json): readonly Json[] => content as readonly Json[];
const shortId = (id: unknown) => String(id).replace("toolu_", "").padStart(9, "0");

function mapBlocks(message: Json, change: (block: Json) => readonly Json[]): Json {
  return { ...message, content: blocksOf(message).flatMap(change) };
}

/** Moves the cache marks to the newest two user messages. */
function wanderingMarks(messages: readonly Json[]): readonly Json[] {
  const own = messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-2);
  return messages.map((message, index) => {
    if (!own.includes(index)) return message;
    const blocks = blocksOf(message);
    const marked = { ...blocks.at(-1), cache_control: { type: "ephemeral" } };
    return { ...message, content: [...blocks.slice(0, -1), marked] };
  });
}

/** Clients of the Anthropic API whose messages stay the same across requests, except for cache marks. */
export const messagesForm: fc.Arbitrary<ClientForm> = fc
  .record({ marks: fc.boolean(), isError: fc.boolean(), thinks: fc.boolean(), text: textStyle, ids: fc.boolean() })
  .map(({ marks, isError, thinks, text, ids }) => ({
    wire: "messages",
    keep: (answer) => {
      const isLast = !blocksOf(answer).some(({ type }) => type === "tool_use");
      const style = TEXTS[isLast && text === "dropped" ? "trimmed" : text];
      const change = (block: Json) => {
        if (block.type === "thinking") return thinks ? [block] : [];
        if (block.type === "tool_use") return [{ ...block, id: ids ? shortId(block.id) : block.id }];
        const said = style?.(String(block.text)) ?? "";
        return said === "" ? [] : [{ ...block, text: said }];
      };
      return [mapBlocks(answer, change)];
    },
    send: (messages) => {
      const change = (block: Json) => [
        ids && block.type === "tool_result" ? { ...block, tool_use_id: shortId(block.tool_use_id) } : block,
      ];
      const sent = messages.map((message) => mapBlocks(message, change));
      return marks ? wanderingMarks(sent) : sent;
    },
    result: isError ? { is_error: false } : {},
  }));

/** Clients of chat completions whose messages stay the same across requests. */
export const chatForm: fc.Arbitrary<ClientForm> = fc
  .record({ text: textStyle, spaced: fc.boolean(), split: fc.boolean() })
  .map(({ text, spaced, split }) => ({
    wire: "chat/completions",
    keep: ({ content, tool_calls: calls, ...answer }) => {
      const style = TEXTS[calls === undefined && text === "dropped" ? "trimmed" : text];
      const said = { ...answer, content: style?.(String(content)) ?? "" };
      if (calls === undefined) return [said];
      const tool_calls = (calls as readonly { readonly function: { readonly arguments: string } }[]).map((call) => {
        const input = JSON.parse(call.function.arguments) as Json;
        const reversed = Object.fromEntries(Object.entries(input).reverse());
        return spaced
          ? { ...call, function: { ...call.function, arguments: JSON.stringify(reversed, null, 2) } }
          : call;
      });
      const isSplit = split && said.content.trim() !== "";
      return isSplit ? [said, { role: "assistant", content: null, tool_calls }] : [{ ...said, tool_calls }];
    },
  }));

/** Clients that send an older message in another form than when it was new. */
export const SHIFTING_CLIENTS: Readonly<Record<string, ClientForm>> = {
  "thinking only in its newest answer": {
    wire: "messages",
    send: (messages) => {
      const last = messages.findLastIndex(({ role }) => role === "assistant");
      const drop = (message: Json) => mapBlocks(message, (block) => (block.type === "thinking" ? [] : [block]));
      return messages.map((message, index) => (message.role === "assistant" && index < last ? drop(message) : message));
    },
  },
  "older tool results cleared": {
    wire: "messages",
    send: (messages) => {
      const clear = (block: Json) =>
        block.type === "tool_result" ? [{ ...block, content: "[Old tool result content cleared]" }] : [block];
      // Several at once, and only sometimes.
      const cleared = Math.floor((messages.length - 4) / 7) * 7;
      return messages.map((message, index) => (index < cleared ? mapBlocks(message, clear) : message));
    },
  },
  "older messages of the user joined": {
    wire: "chat/completions",
    send: (messages) => {
      const joined: Json[] = [];
      messages.forEach((message, index) => {
        const last = joined.at(-1);
        const isOld = index < messages.length - 2;
        if (!isOld || last?.role !== "user" || message.role !== "user") joined.push(message);
        else joined[joined.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
      });
      return joined;
    },
  },
};

/** Requests per run. */
export const STEPS = 30;
const MARK = { cache_control: { type: "ephemeral" } };
/** Request fields other than the messages. */
const ABOUT: Readonly<Record<ClientForm["wire"], Json>> = {
  messages: {
    system: [{ type: "text", text: "You are careful.", ...MARK }],
    tools: [{ name: "read", input_schema: { type: "object" }, ...MARK }],
  },
  "chat/completions": { tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }] },
};
const QUESTIONS = [
  "Rename the module. Never touch src/legacy.",
  "And the tests?",
  "Then the docs.",
  "Is all of it done?",
];
const OUTPUT = "export const total = (items) => items.length; // a line of the file\n";

/** The model's answer in each step: it reads files, sometimes several at once, and every tenth step ends a turn. */
function answerTo(step: number): { readonly text: string; readonly calls: readonly { id: string; input: Json }[] } {
  if (step % 10 === 9) return { text: `Done  with part ${step}.\n\n`, calls: [] };
  const count = step % 4 === 1 ? 2 : 1;
  const calls = Array.from({ length: count }, (_, at) => ({
    id: `toolu_${step}${at}`,
    input: { path: `src/file_${step}_${at}.ts`, lines: [step, at] },
  }));
  return { text: step % 3 === 2 ? "\n" : `\nLet me look  at file ${step}. `, calls };
}

function messagesAnswer(step: number): Json {
  const { text, calls } = answerTo(step);
  const thinking = { type: "thinking", thinking: `Step ${step}.`, signature: `signed-${step}` };
  const said = text.trim() === "" ? [] : [{ type: "text", text }];
  const content = [thinking, ...said, ...calls.map((call) => ({ type: "tool_use", name: "read", ...call }))];
  return { role: "assistant", content };
}

function chatAnswer(step: number): Json {
  const { text, calls } = answerTo(step);
  const tool_calls = calls.map(({ id, input }) => ({
    id,
    type: "function",
    function: { name: "read", arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: text, ...(tool_calls.length > 0 && { tool_calls }) };
}

/** One request of a run, as the provider received it. */
export interface SentRequest {
  readonly asked: readonly Json[];
  readonly body: Json & { readonly messages: readonly Json[] };
  readonly session: string;
  readonly degraded: string | null;
  /** Number of compactions and masks in the session at that time. */
  readonly rewrites: number;
}

/** Runs an agent through the proxy with a small window, in one conversation. */
export async function runAgent({ wire, keep = (answer) => [answer], send = (all) => all, result = {} }: ClientForm) {
  let step = 0;
  const upstream = await startUpstream(({ response }) => {
    const message = wire === "messages" ? messagesAnswer(step) : chatAnswer(step);
    const body =
      wire === "messages"
        ? { type: "message", ...message }
        : { choices: [{ index: 0, message, finish_reason: "stop" }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const at = { url: upstream.url };
  const proxy = await startProxy({
    store: inProcessStore(),
    model: at,
    anthropic: at,
    contextLimits: { local: 9_000 },
  });
  const throughline = await proxy.throughline();
  const kept: Json[] = [];
  const sent: SentRequest[] = [];
  const say = (text: string) =>
    kept.push({ role: "user", content: wire === "messages" ? [{ type: "text", text }] : text });
  for (step = 0; step < STEPS; step += 1) {
    if (step % 10 === 0) say(QUESTIONS[step / 10] ?? "");
    if (step > 0 && step % 10 === 0 && wire !== "messages") say("Take your time.");
    const asked = send(kept);
    const body = JSON.stringify({ model: "local", max_tokens: 500, ...ABOUT[wire], messages: asked });
    const response = await fetch(`${proxy.url}/${wire}`, { method: "POST", body });
    if (!response.ok) throw new Error(`Step ${step}: ${await response.text()}`);
    await response.arrayBuffer();
    const session = response.headers.get("x-throughline-session") ?? "";
    const [receipt] = await throughline.session(session).receipts(1);
    const masked = (receipt?.items ?? []).flatMap(({ shortened = [] }) => shortened).length;
    sent.push({
      asked,
      body: JSON.parse(upstream.seen.at(-1)?.body ?? "") as SentRequest["body"],
      session,
      degraded: response.headers.get("x-throughline-degraded"),
      rewrites: 1_000 * (await throughline.session(session).compactions()).length + masked,
    });
    const answer = wire === "messages" ? messagesAnswer(step) : chatAnswer(step);
    kept.push(...keep(answer));
    const results = answerTo(step).calls.map(({ id }, call) => ({
      id,
      text: step % 5 === 3 ? "ok" : `file ${step}.${call}\n${OUTPUT.repeat(24)}`,
    }));
    if (wire === "messages" && results.length > 0) {
      const content = results.map(({ id, text }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: text,
        ...result,
      }));
      kept.push({ role: "user", content });
    }
    if (wire !== "messages")
      kept.push(...results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })));
  }
  const sessions = await throughline.sessions();
  let stored = 0;
  for (const { sessionId } of sessions) stored += (await throughline.session(sessionId).status()).appended;
  const { errors } = proxy;
  await proxy.close();
  await upstream.close();
  return { sent, kept, sessions: sessions.length, stored, errors };
}
