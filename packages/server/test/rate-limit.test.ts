import { describe, expect, it, vi } from "vitest";
import { apiServer } from "./api-server.ts";

const server = apiServer({ rateLimit: { perMinute: 60 } });

describe("a rate limit", () => {
  it("locks no caller out if the clock is set back", async () => {
    expect((await server.call("GET", "/memories")).status).toBe(200);
    const before = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(before - 3_600_000);
    expect((await server.call("GET", "/memories")).status).toBe(200);
    vi.restoreAllMocks();
  });
});
