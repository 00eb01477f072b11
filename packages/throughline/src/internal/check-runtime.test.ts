import { afterEach, describe, expect, it, vi } from "vitest";
import { ThroughlineError } from "../errors/throughline-error.ts";
import { createThroughline } from "../throughline.ts";
import { checkRuntime } from "./check-runtime.ts";

const node = (version: string) => ({ process: { versions: { node: version } } });

describe("an old version of Node", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is refused by createThroughline with the needed version and the one that runs", async () => {
    vi.stubGlobal("process", { ...process, versions: { node: "20.20.2" } });
    vi.stubGlobal("navigator", undefined);
    const error: unknown = await createThroughline().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ThroughlineError);
    expect(error).toMatchObject({
      code: "unsupported-runtime",
      message: "Throughline needs Node 22.13 or later; this is Node 20.20.2. Use Node 22.13 or later.",
    });
  });

  it.each(["20.20.2", "22.12.0", "9.0.0"])("%s is refused", (version) => {
    expect(() => checkRuntime(node(version))).toThrow(`this is Node ${version}.`);
    expect(() => checkRuntime({ ...node(version), navigator: { userAgent: "Node.js/22" } })).toThrow(ThroughlineError);
  });

  it.each(["22.13.0", "22.20.5", "24.0.0"])("%s is accepted", (version) => {
    expect(() => checkRuntime(node(version))).not.toThrow();
  });

  it("is not seen in browsers, edge runtimes, and runtimes that imitate Node", () => {
    expect(() => checkRuntime({})).not.toThrow();
    expect(() => checkRuntime({ process: {} })).not.toThrow();
    for (const userAgent of ["Mozilla/5.0", "Bun/1.2.0", "Deno/2.1.0", "Cloudflare-Workers"]) {
      expect(() => checkRuntime({ ...node("20.11.1"), navigator: { userAgent } })).not.toThrow();
    }
  });
});
