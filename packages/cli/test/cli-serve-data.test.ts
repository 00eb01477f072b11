import { once } from "node:events";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { ask } from "../../server/test/request.ts";
import { startUpstream } from "../../server/test/upstream.ts";
import type { StoredJob } from "../../throughline/src/ports/server-store.ts";
import { PATIENT } from "../../throughline/test/cases.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";
import { NO_MODEL, refused, startServe } from "./start-serve.ts";

const folder = temporaryFolder();
const JSON_BODY = { "content-type": "application/json" };

function dataFolder() {
  const { data, json } = memoryCommands(folder.fresh("data"));
  const env = { THROUGHLINE_DATA: data };
  const serve = (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
    startServe(["serve", "--port", "0", ...args], { ...env, ...more });
  return { data, json, env, serve };
}

/** The same server at its network address. */
function fromHere(url: string): string {
  return url.replace("0.0.0.0", "127.0.0.1");
}

describe("throughline serve and its data", () => {
  it("stores the data like the other commands, readable only by the user", async () => {
    const { data, json, serve } = dataFolder();
    const { url, stop } = await serve();
    const body = JSON.stringify({ text: "We deploy on Fridays." });
    expect((await ask(url, "/memories", { method: "POST", headers: JSON_BODY, body })).status).toBe(201);
    expect(await json("memories")).toMatchObject([{ levels: { full: "We deploy on Fridays." } }]);
    await json("remember", "The office is in Lisbon.");
    expect((await ask(url, "/memories")).body.toString()).toContain("Lisbon");
    expect((await stop()).code).toBe(0);
    if (process.platform === "win32") return;
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(data, "throughline.db"))).mode & 0o777).toBe(0o600);
  });

  it("takes address, port and token requirement from the settings, overridden by flags", async () => {
    const config = await folder.file("serve.json", '{ "port": 1, "require_token": true }');
    const { serve } = dataFolder();
    const { url, stop } = await serve([], { THROUGHLINE_CONFIG: config });
    expect((await ask(url, "/memories")).status).toBe(401);
    await stop();
    const wrong = await runMain(["serve"], { env: { ...NO_MODEL, THROUGHLINE_CONFIG: config, THROUGHLINE_PORT: "x" } });
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("throughline serve and access", () => {
  it("refuses a public address without a token, and names the command that creates one", async () => {
    const { data, json, env } = dataFolder();
    const args = ["serve", "--host", "0.0.0.0", "--port", "0"];
    const { code, stdout, stderr } = await runMain(args, { env: { ...NO_MODEL, ...env } });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(
      /^throughline: Cannot listen on 0\.0\.0\.0 without a token: other machines can reach this address\.\nCreate a token: throughline token create --user NAME\nOr: .*tunnel/,
    );
    // An expired lock does not block the server.
    const { id } = await json("token", "create", "--user", "ada");
    await json("token", "revoke", id);
    expect((await runMain([...args, "--data", data], { env: NO_MODEL })).code).toBe(3);
  });

  it("listens on a public address with a token, requires it, and notices its revocation at once", async () => {
    const { data, json, serve } = dataFolder();
    const { token, id } = await json("token", "create", "--user", "ada");
    const { url, stop } = await serve(["--host", "0.0.0.0"]);
    const here = fromHere(url);
    const authorization = `Bearer ${token}`;
    expect((await ask(here, "/memories")).status).toBe(401);
    expect((await ask(here, "/memories", { headers: { authorization } })).status).toBe(200);
    expect((await runMain(["token", "revoke", id, "--data", data])).code).toBe(0);
    expect((await ask(here, "/memories", { headers: { authorization } })).status).toBe(401);
    const { code, stdout, stderr } = await stop();
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(token);
  });

  longTest("requires a token with --require-token, also from this machine", async () => {
    const { json, serve } = dataFolder();
    const { token } = await json("token", "create", "--user", "local");
    await json("remember", "We deploy on Fridays.");
    const { url, stop } = await serve(["--require-token"]);
    expect((await ask(url, "/memories")).status).toBe(401);
    const answer = await ask(url, "/memories", { headers: { authorization: `Bearer ${token}` } });
    expect(answer.body.toString()).toContain("Fridays");
    expect((await stop()).code).toBe(0);
  });
});

describe("throughline serve at shutdown", () => {
  longTest("stores a request that is still being sent", async () => {
    const { json, serve } = dataFolder();
    const { url, child, end } = await serve();
    const body = JSON.stringify({ text: "We deploy on Fridays." });
    const headers = { ...JSON_BODY, "content-length": Buffer.byteLength(body), expect: "100-continue" };
    const sending = request(`${url}/memories`, { method: "POST", headers });
    sending.flushHeaders();
    // Now the server has started to read.
    await once(sending, "continue");
    child.kill("SIGTERM");
    await refused(url);
    sending.end(body);
    const [answer] = await once(sending, "response");
    expect(answer.statusCode).toBe(201);
    await buffer(answer);
    expect((await end).code).toBe(0);
    expect(await json("memories")).toHaveLength(1);
  });

  longTest("finishes a running job", async () => {
    const { json, serve } = dataFolder();
    const content = JSON.stringify({ facts: [] });
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }];
    const done = JSON.stringify({ id: "1", object: "chat.completion", created: 0, model: "tiny", choices });
    const released = Promise.withResolvers<void>();
    const upstream = await startUpstream(async ({ response }) => {
      await released.promise;
      response.writeHead(200, JSON_BODY).end(done);
    });
    const { url, child, end } = await serve([], { THROUGHLINE_MODEL_URL: upstream.url, THROUGHLINE_MODEL: "tiny" });
    const post = (to: string, value: object) =>
      ask(url, to, { method: "POST", headers: JSON_BODY, body: JSON.stringify(value) });
    await post("/sessions", { id: "s", remember: true });
    await post("/sessions/s/messages", { messages: [{ role: "user", content: "My cousin Ada lives in Oslo." }] });
    await vi.waitUntil(() => upstream.seen.length > 0, PATIENT);
    expect(await json("jobs", "--state", "running")).toMatchObject([{ kind: "extract", attempts: 1 }]);
    child.kill("SIGTERM");
    await refused(url);
    released.resolve();
    expect((await end).code).toBe(0);
    await upstream.close();
    const jobs: StoredJob[] = [...(await json("jobs", "--state", "done")), ...(await json("jobs"))];
    expect(jobs.filter(({ kind }) => kind === "extract")).toMatchObject([{ state: "done", attempts: 1 }]);
  });
});

describe("the proxy of throughline serve", () => {
  longTest("leaves a note about its last request for `doctor`", async () => {
    const { json, serve } = dataFolder();
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello." } }];
    const reply = JSON.stringify({ id: "1", object: "chat.completion", created: 0, model: "tiny", choices });
    const upstream = await startUpstream(({ response }) => response.writeHead(200, JSON_BODY).end(reply));
    const env = { THROUGHLINE_MODEL_URL: upstream.url, THROUGHLINE_MODEL: "tiny" };
    const { url, stop } = await serve([], env);
    const body = JSON.stringify({ model: "tiny", messages: [{ role: "user", content: "Hello?" }] });
    await ask(url, "/v1/chat/completions", { method: "POST", headers: JSON_BODY, body });
    await stop();
    await upstream.close();
    expect((await json("doctor")).proxyLastUsed).toMatch(/^\d{4}-/);
  });
});
