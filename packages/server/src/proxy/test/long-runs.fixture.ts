import { afterAll, beforeAll } from "vitest";
import type { Store } from "../../../../throughline/src/ports/store.ts";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { type ProxyTestOptions, type RunningProxy, startProxy } from "./proxy.fixture.ts";

interface Started extends ProxyTestOptions {
  readonly store?: Store;
  readonly url?: string;
}

/** The response of a proxy. */
interface ProxyReply {
  readonly status: number;
  readonly text: string;
  /** One of Throughline's own headers. */
  header(name: string): string | null;
}

/** A provider and proxies in front of it, for the tests of one file. */
export function proxiedProvider() {
  let upstream: ProviderServer | undefined;
  beforeAll(async () => {
    upstream = await startProviderServer();
  });
  afterAll(() => upstream?.close());
  return {
    get upstream(): ProviderServer {
      if (upstream === undefined) throw new Error("The provider is not there yet.");
      return upstream;
    },
    async withProxy<T>(options: Started, work: (proxy: RunningProxy) => Promise<T>): Promise<T> {
      const { provider, url: own } = this.upstream;
      const { store = inProcessStore(), url = own, ...rest } = options;
      const proxy = await startProxy({ store, model: { url }, anthropic: { url }, ...rest });
      Object.assign(provider, { limit: 100_000, bias: 1, answer: () => ({ text: "Hello." }) });
      try {
        return await work(proxy);
      } finally {
        await proxy.close();
      }
    },
  };
}

export async function post(
  proxy: RunningProxy,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ProxyReply> {
  const answer = await fetch(`${proxy.url}/${path}`, { method: "POST", body, headers: { ...headers } });
  const header = (name: string) => answer.headers.get(`x-throughline-${name}`);
  return { status: answer.status, text: await answer.text(), header };
}

export const words = (count: number) => "some words of a tool ".repeat(count);
const TASK = "Find the leak. Never restart the server.";

/** A long agent run, in the form of each API. */
export function longChat(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${index}`, type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${index}`, content: words(150), name: "read" },
  ]).flat();
  return [
    { role: "system", content: "Be careful.", name: "root" },
    { role: "user", content: TASK, name: "ada" },
    ...steps,
    {
      role: "user",
      content: [
        { type: "text", text: "And?" },
        { type: "video_url", video_url: { url: "http://x/y" } },
      ],
    },
  ];
}

export function longMessages(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${index}`, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${index}`, content: words(150) }] },
  ]).flat();
  const last = [{ type: "text", text: "And?", cache_control: { type: "ephemeral" } }];
  return [
    { role: "user", content: TASK },
    ...steps,
    { role: "assistant", content: "Well." },
    { role: "user", content: last },
  ];
}

export function longItems(): object[] {
  const steps = Array.from({ length: 12 }, (_, index) => [
    { type: "function_call", call_id: `c${index}`, name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: `c${index}`, output: words(150) },
  ]).flat();
  return [{ role: "user", content: TASK }, ...steps, { role: "user", content: "And?" }];
}
