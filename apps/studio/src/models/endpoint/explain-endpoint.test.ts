import { afterEach, describe, expect, it, vi } from "vitest";
import { unreachable } from "./explain-endpoint.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a server that can't be reached", () => {
  it("is explained by the missing connection if the browser is offline", () => {
    vi.stubGlobal("navigator", { onLine: false });
    expect(unreachable("https://openrouter.ai/api/v1").message).toMatch(/^You're offline\. .*unchanged/);
  });

  it("is not explained by it on this device, which needs no connection", () => {
    vi.stubGlobal("navigator", { onLine: false });
    expect(unreachable("http://localhost:1234/v1").message).toMatch(/^localhost:1234 can't be reached.*CORS/);
  });

  it("needs no permission for this page if it is the server of this page", () => {
    vi.stubGlobal("location", { origin: "http://localhost:4870", protocol: "http:" });
    const { message } = unreachable("http://localhost:4870/v1");
    expect(message).toMatch(/^This page's server at localhost:4870 can't be reached\. .*unchanged/);
    expect(message).not.toContain("CORS");
  });
});
