import { afterAll, beforeAll, expect } from "vitest";
import { type SqlStore, sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { createServer, type RunningServer, type ServerOptions } from "../src/server.ts";
import { type Answer, ask } from "./request.ts";
import { studioFolder } from "./studio-folder.ts";

export type Fields = Record<string, unknown>;

export interface ApiServer {
  readonly url: string;
  readonly store: SqlStore;
  /** Sends JSON and returns the raw response. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends JSON and returns the parsed response. Fails on an error status. */
  get<T = Fields>(path: string, headers?: Readonly<Record<string, string>>): Promise<T>;
  post<T = Fields>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<T>;
}

/** A server with a separate store for the tests of a file. Internal errors fail the tests. */
export function apiServer(options: Omit<ServerOptions, "port" | "studio" | "store"> = {}): ApiServer {
  const studio = studioFolder();
  const store = sqliteStore(":memory:");
  const failures: unknown[] = [];
  let server: RunningServer | undefined;
  beforeAll(async () => {
    const onError = (error: unknown) => failures.push(error);
    server = await createServer({ onError, ...options, port: 0, studio: studio.path, store });
  });
  afterAll(async () => {
    await server?.close();
    await store.close();
    expect(failures).toEqual([]);
  });
  const call: ApiServer["call"] = (method, path, body, headers = {}) => {
    const about = body === undefined ? headers : { "content-type": "application/json", ...headers };
    return ask(server?.url ?? "", path, {
      method,
      headers: about,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const well = async <T>(answer: Promise<Answer>): Promise<T> => {
    const { status = 0, body } = await answer;
    if (status < 200 || status > 299) throw new Error(`${status}: ${body}`);
    return (body.length === 0 ? undefined : JSON.parse(body.toString())) as T;
  };
  return {
    get url() {
      return server?.url ?? "";
    },
    store,
    call,
    get: (path, headers) => well(call("GET", path, undefined, headers)),
    post: (path, body, headers) => well(call("POST", path, body, headers)),
  };
}
