import { once } from "node:events";
import { createInterface } from "node:readline";
import { type ProviderServer, startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { builtProgram } from "../../../throughline/test/built.ts";
import { start, stop } from "./processes.ts";
import { startTap } from "./tap.ts";

/** The scripted provider, the proxy in front of it, and a tap in front of the proxy. */
export interface Rig {
  readonly upstream: ProviderServer;
  readonly tap: Awaited<ReturnType<typeof startTap>>;
  /** The server's stderr. */
  complaints(): string;
  close(): Promise<void>;
}

/** @param isDirect leaves our server out, to see what the client does without it */
export async function startRig(home: string, env: Readonly<Record<string, string>>, isDirect: boolean): Promise<Rig> {
  const upstream = await startProviderServer();
  const { origin } = new URL(upstream.url);
  const server = isDirect ? undefined : await startServer(home, env, upstream);
  const tap = await startTap(server?.url ?? origin);
  return {
    upstream,
    tap,
    complaints: () => server?.complaints() ?? "",
    async close() {
      await server?.close();
      await tap.close();
      await upstream.close();
    },
  };
}

async function startServer(home: string, env: Readonly<Record<string, string>>, upstream: ProviderServer) {
  const { origin } = new URL(upstream.url);
  const child = start({
    command: process.execPath,
    args: [builtProgram(), "serve", "--port", "0", "--data", `${home}/throughline`],
    cwd: home,
    env: {
      ...env,
      THROUGHLINE_MODEL_URL: upstream.url,
      THROUGHLINE_ANTHROPIC_URL: origin,
      THROUGHLINE_GEMINI_URL: origin,
    },
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(() => {
    throw new Error(`The server did not start: ${stderr}`);
  });
  ended.catch(() => undefined);
  if (child.stdout === null) throw new Error("The server has no output.");
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  const [url] = /http:\/\/[\d.]+:\d+/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`The server did not say where it listens: ${line}`);
  return {
    url,
    complaints: () => stderr,
    async close() {
      const closed = once(child, "close");
      stop(child);
      await closed;
    },
  };
}
