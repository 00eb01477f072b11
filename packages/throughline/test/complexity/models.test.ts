import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { TOOLS } from "../../../server/src/mcp/create-mcp-server.ts";
import { createProxy } from "../../../server/src/proxy/create-proxy.ts";
import { apiServer } from "../../../server/test/api-server.ts";
import { startProviderServer } from "../../../server/test/provider/provider-server.ts";
import { longTest } from "../long-tests.ts";
import { growthOverInputs } from "./growth-over-inputs.ts";
import { MCP_ADAPTERS, PROXY_ADAPTERS, RAW_ADAPTERS, TOOL_ADAPTERS } from "./proxy-adapters.ts";

const steepInputs = growthOverInputs({ first: 3_000, max: 48_000, enough: 20 });
const upstream = await startProviderServer();
upstream.provider.limit = 16_000;
const { url } = upstream;
const server = apiServer({ upstreams: { openai: { url }, anthropic: { url }, gemini: { url } } });
const adapted = [
  ...Object.entries(PROXY_ADAPTERS),
  ...Object.entries(RAW_ADAPTERS),
  ...Object.entries(MCP_ADAPTERS),
  ...Object.entries(TOOL_ADAPTERS).map(([name, adapter]) => [`POST /mcp, ${name}`, adapter] as const),
].flatMap(([route, adapter]) => (typeof adapter === "string" ? [] : [{ route, adapter }]));

beforeEach(() => {
  upstream.log.length = 0;
});
afterAll(() => upstream.close());

describe("the list of model routes and tools", () => {
  it("names every address under which models are asked", () => {
    const { routes } = createProxy({ upstreams: { openai: { url } } });
    const posts = routes.filter(({ method }) => method === "POST").map(({ path }) => `POST ${path}`);
    expect(Object.keys(PROXY_ADAPTERS).sort()).toEqual([...new Set(posts)].sort());
  });

  it("names every tool", () => {
    expect(Object.keys(TOOL_ADAPTERS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });
});

describe("the cost of a request grows with its text, not faster", () => {
  longTest.each(adapted)("$route", async ({ route, adapter }) => {
    expect(await steepInputs(route, (text) => adapter(server, text))).toEqual([]);
  });
});
