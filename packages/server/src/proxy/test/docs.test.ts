import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureProgram, programs } from "../../../../../tools/ensure/ensure-program.mjs";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { packageFolder } from "../../../../throughline/test/built.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { type RunningProxy, startProxy } from "./proxy.fixture.ts";

const text = readFileSync(join(packageFolder, "..", "..", "docs", "proxy.md"), "utf8");
/** Each block has a command, followed by a part of its output as a comment. */
const examples = [...text.matchAll(/^```sh\n([\s\S]*?)\n# (.*)\n```$/gm)].map(([, command = "", answer = ""]) => ({
  command,
  answer,
}));

let upstream: ProviderServer;
let proxy: RunningProxy;
beforeAll(async () => {
  upstream = await startProviderServer();
  const { url } = upstream;
  proxy = await startProxy({ store: inProcessStore(), model: { url }, anthropic: { url }, gemini: { url } });
});
afterAll(async () => {
  await proxy.close();
  await upstream.close();
  expect(proxy.errors).toEqual([]);
});

describe("the commands in docs/proxy.md", () => {
  it("have an output in every block", () => {
    expect(examples.length).toBeGreaterThan(5);
    expect(text.match(/^```sh$/gm)).toHaveLength(examples.length);
  });

  it.each(examples)("work: $command", async ({ command, answer }) => {
    const curl = await ensureProgram(programs.curl);
    const own = command.replaceAll("http://127.0.0.1:4870", new URL(proxy.url).origin).replace(/^curl/, `'${curl}'`);
    const { stdout } = await promisify(execFile)("sh", ["-c", own]);
    expect(stdout).toContain(answer);
  });
});
