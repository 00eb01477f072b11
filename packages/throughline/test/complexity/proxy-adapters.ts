import type { ApiServer } from "../../../server/test/api-server.ts";
import { ask } from "../../../server/test/request.ts";
import type { RouteAdapter } from "./route-adapters.ts";
import { piecesOf } from "./text-shapes.ts";

let count = 0;

/** Sends a text as the body itself: it is read as JSON, and refused. */
const raw =
  (path: string): RouteAdapter =>
  ({ url }, text) =>
    ask(url, path, { method: "POST", headers: { "content-type": "application/json" }, body: text });

/** One call of a tool with a text in each of its fields. */
const tool =
  (name: string, argumentsOf: (text: string) => object): RouteAdapter =>
  (server, text) =>
    rpc(server, "tools/call", { name, arguments: argumentsOf(text) });

function rpc({ url }: ApiServer, method: string, params: object): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return ask(url, "/mcp", { method: "POST", headers, body });
}

/** Text fields of tools take up to 20,000 characters; longer ones are refused before anything is read. */
const short = (text: string) => text.slice(0, 10_000);

/** Adapters that send text to each tool over HTTP, or the reason why a tool takes none. */
export const TOOL_ADAPTERS: Readonly<Record<string, RouteAdapter | string>> = {
  assemble_context: tool("assemble_context", (text) => ({ message: short(text), recent_errors: [short(text)] })),
  recall: tool("recall", (text) => ({ query: short(text) })),
  expand: tool("expand", (text) => ({ pointer: text.slice(0, 2_000) })),
  remember: tool("remember", (text) => ({ text: short(text) })),
  forget: tool("forget", (text) => ({ id: text })),
  contradictions: "takes a choice",
  resolve_contradiction: tool("resolve_contradiction", (text) => ({ id: text, resolution: "a_wins", note: text })),
  consolidate: "takes a choice",
  projects: "takes nothing",
  undo_import: tool("undo_import", (text) => ({ id: text })),
};

export const MCP_ADAPTERS: Readonly<Record<string, RouteAdapter>> = {
  "POST /mcp, any text": raw("/mcp"),
  "POST /mcp, any method": (server, text) => rpc(server, text, { [text]: text }),
  "POST /mcp, resources/read": (server, text) =>
    rpc(server, "resources/read", { uri: `throughline://memories/${encodeURIComponent(text.toWellFormed())}` }),
};

interface Said {
  readonly isUser: boolean;
  readonly text: string;
}

/** The number makes each conversation different. It contains the text as a whole and in many pieces. */
function conversation(text: string): readonly Said[] {
  count += 1;
  const turns = [`${count}`, "Hello.", text, text, ...piecesOf(text)];
  if (turns.length % 2 === 0) turns.push("Go on.");
  return turns.map((said, at) => ({ isUser: at % 2 === 0, text: said }));
}

/** A conversation, the same one continued, and the same one with another beginning. */
const conversing =
  (path: string, bodyOf: (said: readonly Said[], text: string) => object): RouteAdapter =>
  async (server, text) => {
    const said = conversation(text);
    const more = [...said, { isUser: false, text: "Hello." }, { isUser: true, text }];
    const other = [{ isUser: true, text: "Otherwise." }, ...more.slice(1)];
    for (const turns of [said, more, other]) {
      await server.call("POST", path, bodyOf(turns, text), { "x-throughline-memory": "on" });
    }
  };

const role = ({ isUser }: Said) => (isUser ? "user" : "assistant");
const generate = conversing("/v1beta/models/local:generateContent", (said, text) => ({
  systemInstruction: { parts: [{ text }] },
  contents: said.map((one) => ({ role: one.isUser ? "user" : "model", parts: [{ text: one.text }] })),
}));
const counting =
  (path: string, bodyOf: (text: string) => object): RouteAdapter =>
  (server, text) =>
    server.call("POST", path, bodyOf(text));

/** Adapters that send text to each model endpoint. */
export const PROXY_ADAPTERS: Readonly<Record<string, RouteAdapter>> = {
  "POST /v1/chat/completions": conversing("/v1/chat/completions", (said, text) => ({
    model: "local",
    messages: [{ role: "system", content: text }, ...said.map((one) => ({ role: role(one), content: one.text }))],
  })),
  "POST /v1/responses": conversing("/v1/responses", (said, text) => ({
    model: "local",
    instructions: text,
    input: said.map((one) => ({ role: role(one), content: one.text })),
  })),
  "POST /v1/messages": conversing("/v1/messages", (said, text) => ({
    model: "local",
    max_tokens: 100,
    system: [{ type: "text", text, cache_control: { type: "ephemeral" } }],
    messages: said.map((one, at) => ({
      role: role(one),
      content: [
        { type: "text", text: one.text, ...(at > said.length - 4 && { cache_control: { type: "ephemeral" } }) },
      ],
    })),
  })),
  "POST /v1/messages/count_tokens": counting("/v1/messages/count_tokens", (text) => ({
    model: "local",
    messages: [{ role: "user", content: text }],
  })),
  "POST /v1beta/models/:call{.+:countTokens}": counting("/v1beta/models/local:countTokens", (text) => ({
    contents: [{ role: "user", parts: [{ text }] }],
  })),
  "POST /v1beta/models/:call{.+:(?:generateContent|streamGenerateContent)}": generate,
};

/** The same addresses with a body that is no request. */
export const RAW_ADAPTERS: Readonly<Record<string, RouteAdapter>> = Object.fromEntries(
  ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1beta/models/local:generateContent", "/memories"].map(
    (path) => [`POST ${path}, any text`, raw(path)],
  ),
);
