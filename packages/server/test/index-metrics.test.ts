import { expect, it } from "vitest";
import { apiServer } from "./api-server.ts";

const server = apiServer();

async function metric(name: string): Promise<number> {
  const { body } = await server.call("GET", "/metrics");
  return Number(new RegExp(`^throughline_index_${name} (\\d+)$`, "m").exec(body.toString())?.[1]);
}

it("/metrics counts the search indexes in memory and their uses", async () => {
  const search = () => server.call("POST", "/memories/search", { query: "deploy" });
  expect((await search()).status).toBe(200);
  const [misses, hits] = [await metric("misses_total"), await metric("hits_total")];
  expect((await search()).status).toBe(200);
  expect(await metric("misses_total")).toBe(misses);
  expect(await metric("hits_total")).toBeGreaterThan(hits);
  expect(await metric("bytes")).toBeGreaterThan(0);
  expect(await metric("max_bytes")).toBe(1024 ** 3);
});
