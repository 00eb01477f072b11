import { afterEach } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { ask } from "../../../test/request.ts";
import { type Seen, startUpstream } from "../../../test/upstream.ts";
import { type ProxyTestOptions, startProxy } from "./proxy.fixture.ts";

/** Starts proxies in front of an upstream that `answer` writes for. Everything is closed after each test. */
export function upstreamProxies() {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  return async (answer: (seen: Seen) => unknown, key?: string, options: ProxyTestOptions = {}) => {
    const upstream = await startUpstream(answer);
    const at = { url: upstream.url, ...(key !== undefined && { key }) };
    const proxy = await startProxy({ store: inProcessStore(), model: at, anthropic: at, ...options });
    opened.push(upstream, proxy);
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      ask(proxy.url, `/v1/${path}`, { method: "POST", body, headers });
    const stopUpstream = async () => {
      opened.splice(opened.indexOf(upstream), 1);
      await upstream.close();
    };
    return { upstream, proxy, post, stopUpstream };
  };
}

export function json(answer: object) {
  return (seen: Seen) =>
    seen.response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

/** One request per API, with unusual spacing, escapes and numbers that a JSON round trip would change. */
export const UNUSUAL_BODIES = [
  [
    "chat/completions",
    '{ "messages" : [ {"role":"user", "content":"H\\u0069 \\/"} ],\n\t"seed": 12345678901234567890, "x":1.0 }',
  ],
  [
    "messages",
    '{"max_tokens":1e2,"messages":[{"content":"Hi","role":"user"}] , "model":"claude-sonnet-4-5","top_p":0.50}',
  ],
  ["responses", '\n{"input":"Hi","metadata":{"a":"\\ud83d\\ude00"},"model":"gpt-4o" }\n'],
] as const;
