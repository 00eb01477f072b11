import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Store } from "../../../../throughline/src/ports/store.ts";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import type { Reply } from "../../../test/provider/provider.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { type RunningProxy, startProxy } from "./proxy.fixture.ts";

/** A provider, a folder for databases and proxies, for the tests of one file. */
export function proxySessions() {
  let upstream: ProviderServer | undefined;
  const folder = mkdtempSync(join(tmpdir(), "throughline-proxy-"));
  beforeAll(async () => {
    upstream = await startProviderServer();
  });
  afterAll(async () => {
    await upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const current = (): ProviderServer => {
    if (upstream === undefined) throw new Error("The provider has not started.");
    return upstream;
  };
  return {
    folder,
    get upstream(): ProviderServer {
      return current();
    },
    start: (store: Store = inProcessStore()) => startProxy({ store, model: { url: current().url } }),
    /** Sends these messages and returns the id of the session they were added to. */
    async ask(
      proxy: RunningProxy,
      messages: readonly object[],
      headers: Record<string, string> = {},
      reply: Reply = { text: "Hello." },
    ): Promise<string> {
      current().provider.answer = () => reply;
      const body = JSON.stringify({ model: "gpt-4o", messages });
      const answer = await fetch(`${proxy.url}/chat/completions`, { method: "POST", body, headers });
      expect(answer.status, await answer.text()).toBe(200);
      expect(answer.headers.get("x-throughline-degraded")).toBeNull();
      return answer.headers.get("x-throughline-session") ?? "";
    },
  };
}

/** The texts of a session's stored messages. */
export async function texts(proxy: RunningProxy, session: string, userId?: string): Promise<string[]> {
  const history = await (await proxy.throughline(userId)).session(session).history();
  return history.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
}

export const user = (content: string) => ({ role: "user", content });
export const assistant = (content: string) => ({ role: "assistant", content });

export const FIRST = [user("Hi")];
export const SECOND = [...FIRST, assistant("Hello."), user("And now?")];
export const THIRD = [...SECOND, assistant("Hello."), user("And then?")];
