import { afterEach, expect, it } from "vitest";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { createServer, type RunningServer } from "../src/server.ts";
import { studioFolder } from "./studio-folder.ts";

const studio = studioFolder();
let server: RunningServer | undefined;
afterEach(() => server?.close());

it("a response that does not start in time becomes a 504 that says it may have taken effect", async () => {
  const store = sqliteStore(":memory:");
  const silent = { ...store.memories, list: () => new Promise<never>(() => undefined) };
  server = await createServer({
    port: 0,
    studio: studio.path,
    store: { ...store, memories: silent },
    responseTimeout: 100,
    shutdownTimeout: 100,
  });
  const answer = await fetch(`${server.url}/memories`);
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ code: "timed-out", detail: expect.stringContaining("Check whether") });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.close();
  await store.close();
});
