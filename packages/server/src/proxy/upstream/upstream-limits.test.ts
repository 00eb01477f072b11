import type { Context } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ServerEnv } from "../../server-env.ts";
import type { Upstream } from "./upstream.ts";
import { UpstreamLimits } from "./upstream-limits.ts";

afterEach(() => {
  vi.useRealTimers();
});

const upstream = { family: "openai", keyDigest: () => "key" } as unknown as Upstream;
const c = {} as Context<ServerEnv>;
const find = (limits: UpstreamLimits) => limits.find("local", 100, upstream, c);

describe("the limit of an unknown model that a refusal named", () => {
  it("is replaced by the limit of a later refusal", async () => {
    const limits = new UpstreamLimits();
    for (const named of [4_000, 8_000, 6_000]) {
      limits.learn("local", named, upstream, c);
      expect(await find(limits)).toEqual({ contextLimit: named, isGuess: true });
    }
  });

  it("is never below 1,000 tokens", async () => {
    const limits = new UpstreamLimits();
    limits.learn("local", 20, upstream, c);
    expect(await find(limits)).toMatchObject({ contextLimit: 1_000 });
  });

  it("expires after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limits = new UpstreamLimits();
    const { contextLimit } = await find(limits);
    limits.learn("local", 4_000, upstream, c);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await find(limits)).toMatchObject({ contextLimit: 4_000 });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await find(limits)).toMatchObject({ contextLimit });
  });
});
