import { OpenAPIHono } from "@hono/zod-openapi";
import { describe, expect, it, vi } from "vitest";
import { docsRoutes } from "./docs-routes.ts";
import type { ServerEnv } from "./server-env.ts";

describe("the document of the API", () => {
  it("is built when it is first requested, and only then", async () => {
    const api = new OpenAPIHono<ServerEnv>();
    const build = vi.spyOn(api, "getOpenAPI31Document");
    const routes = docsRoutes(api);
    expect(build).not.toHaveBeenCalled();
    const [first, second] = [await routes.request("/openapi.json"), await routes.request("/openapi.json")];
    expect(await first.json()).toMatchObject({ openapi: "3.1.0" });
    expect(second.status).toBe(200);
    expect(build).toHaveBeenCalledTimes(1);
  });
});
