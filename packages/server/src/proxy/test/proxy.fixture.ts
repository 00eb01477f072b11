import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { omitUndefined } from "../../../../throughline/src/internal/json.ts";
import type { Store } from "../../../../throughline/src/ports/store.ts";
import { createThroughline } from "../../../../throughline/src/throughline.ts";
import type { Throughline, ThroughlineOptions } from "../../../../throughline/src/throughline-api.ts";
import type { ServerEnv } from "../../server-env.ts";
import { createProxy, type ProxyOptions } from "../create-proxy.ts";
import type { UpstreamModel } from "../upstream/upstream.ts";

/** A local proxy without authentication: headers name the caller. */
export interface RunningProxy {
  readonly url: string;
  /** Internal errors. */
  readonly errors: unknown[];
  throughline(userId?: string): Promise<Throughline>;
  /** Stops the proxy. Its store keeps the data. */
  close(): Promise<void>;
}

/** Options of a proxy for tests. */
export interface ProxyTestOptions extends Omit<ProxyOptions, "upstreams"> {
  /** Upstreams with the APIs of OpenAI, Anthropic and Gemini. */
  readonly model?: UpstreamModel | undefined;
  readonly anthropic?: UpstreamModel | undefined;
  readonly gemini?: UpstreamModel | undefined;
}

export interface RunningProxyOptions extends ProxyTestOptions {
  readonly store: Store;
  readonly ports?: Pick<ThroughlineOptions, "clock" | "model">;
}

export async function startProxy(given: RunningProxyOptions): Promise<RunningProxy> {
  const { store, ports, model, anthropic, gemini, ...options } = given;
  const upstreams = omitUndefined({ openai: model, anthropic, gemini });
  const errors: unknown[] = [];
  const users = new Map<string, Promise<Throughline>>();
  const throughline = (userId = "ada", projectId?: string) => {
    const name = JSON.stringify([userId, projectId]);
    const known = users.get(name) ?? createThroughline(omitUndefined({ ...ports, store, userId, projectId }));
    users.set(name, known);
    return known;
  };
  const app = new Hono<ServerEnv>()
    .use(async (c, next) => {
      const userId = c.req.header("x-user") ?? "ada";
      const projectId = c.req.header("x-project");
      const scopes = new Set(c.req.header("x-reader") ? (["read"] as const) : (["read", "write"] as const));
      c.set("caller", { userId, projectId, scopes, tokenId: undefined });
      c.set("throughline", await throughline(userId, projectId));
      return next();
    })
    .route(
      "/",
      createProxy({ upstreams, documents: store.documents, onError: (error) => errors.push(error), ...options }),
    );
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    errors,
    throughline,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
