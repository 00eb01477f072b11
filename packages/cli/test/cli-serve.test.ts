import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ask, begin } from "../../server/test/request.ts";
import { startUpstream } from "../../server/test/upstream.ts";
import { PATIENT } from "../../throughline/test/cases.ts";
import { isLong, longTest } from "../../throughline/test/long-tests.ts";
import { repositoryOfPairs } from "../src/workspace/project.fixture.ts";
import { runMain } from "./cli-in-process.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";
import { NO_MODEL, refused, startServe } from "./start-serve.ts";

const folder = temporaryFolder();

/** A server with a separate data folder. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  return startServe(args, { THROUGHLINE_DATA: folder.fresh("data"), ...env });
}

function fail(args: readonly string[], env: Record<string, string> = {}) {
  return runMain(args, { env: { ...NO_MODEL, THROUGHLINE_DATA: folder.fresh("data"), ...env } });
}

const ANTHROPIC_ANSWER = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "tiny",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const GEMINI_ANSWER = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hello." }] }, finishReason: "STOP" }],
};

describe("throughline serve", () => {
  it.each([[["--port", "0"], "SIGINT"] as const, ...(isLong ? [[["serve", "--port", "0"], "SIGTERM"] as const] : [])])(
    "prints the address and one hint, stays quiet, and exits with 0: %j, %s",
    async (args, signal) => {
      const { url, stop } = await start(args);
      const page = await ask(url, "/", { headers: { accept: "text/html" } });
      expect(page.status).toBe(200);
      const [, script = ""] =
        /<script type="module" crossorigin src="(\/assets\/[^"]+\.js)"><\/script>/.exec(page.body.toString()) ?? [];
      expect(script).not.toBe("");
      // A client that disconnects is not logged.
      (await begin(url, script)).destroy();
      expect((await ask(url, "/healthz")).status).toBe(200);
      expect(await stop(signal)).toEqual({
        code: 0,
        stdout: `Throughline is at ${url}\n`,
        stderr: "Open it in your browser. Press Ctrl-C to stop. `throughline --help` lists all commands.\n",
      });
    },
  );

  longTest("gives predictions from a project's history only to callers of that project", async () => {
    const project = repositoryOfPairs();
    const { url, stop } = await start(["serve", "--port", "0", "--learn-from", project]);
    const likely = async (headers: Readonly<Record<string, string>>) => {
      const { json } = await ask(url, "/context/predict", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ file_opened: "src/login.ts" }),
      });
      const { predicted_files } = json() as { predicted_files: readonly { path: string }[] };
      return predicted_files[0]?.path;
    };
    await expect.poll(() => likely({ "X-Throughline-Project": project })).toBe("src/session.ts");
    expect(await likely({ "X-Throughline-Project": "another" })).toBeUndefined();
    expect(await likely({})).toBeUndefined();
    expect(await stop()).toMatchObject({ code: 0 });
    expect(await fail(["serve", "--learn-from", "/no/such/folder"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Not a folder: /no/such/folder"),
    });
  });

  it("prints the address as JSON", async () => {
    const env = { ...NO_MODEL, THROUGHLINE_DATA: folder.fresh("data") };
    const child = startCli(["serve", "--json", "--port", "0"], { env });
    const end = endOf(child);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await end;
    expect({ code, stderr, answer: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: "",
      answer: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
    });
  });

  it("finishes a response before it exits, and exits at once on a second Ctrl-C", async () => {
    const upstream = await startUpstream(({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    for (const isPatient of [true, false]) {
      const { child, url, end } = await start(["--port", "0"], { THROUGHLINE_MODEL_URL: upstream.url });
      const answer = await begin(url, "/v1/chat/completions", { method: "POST", body: "{}" });
      await once(answer, "data");
      const rest = answer.toArray().catch((error: Error) => error.message);
      child.kill("SIGINT");
      await refused(url);
      if (isPatient) upstream.seen.at(-1)?.response.end("data: 2\n\n");
      else child.kill("SIGINT");
      expect((await end).code).toBe(isPatient ? 0 : 130);
      expect(String(await rest)).toBe(isPatient ? "data: 2\n\n" : "aborted");
    }
    await upstream.close();
  });

  it("sends each model API the key of its settings, and logs neither keys nor requests", async () => {
    const key = "sk-never-to-be-seen";
    const openAi = await startUpstream(({ response, headers }) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(`broken for ${headers.authorization}`);
    });
    const anthropic = await startUpstream(({ response }) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANTHROPIC_ANSWER));
    });
    const gemini = await startUpstream(({ response }) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(GEMINI_ANSWER));
    });
    const settings = { anthropic_url: anthropic.url, anthropic_key: `${key}-43` };
    const { url, stop } = await start(["--port", "0"], {
      THROUGHLINE_MODEL_URL: openAi.url,
      THROUGHLINE_MODEL_KEY: `${key}-42`,
      THROUGHLINE_MODEL: "tiny",
      THROUGHLINE_CONFIG: await folder.file("anthropic.json", JSON.stringify(settings)),
      THROUGHLINE_GEMINI_URL: gemini.url.replace(/\/v1$/, ""),
      THROUGHLINE_GEMINI_KEY: `${key}-44`,
    });

    expect((await ask(url, "/v1/models")).json()).toMatchObject({ data: [{ id: "tiny" }] });
    const failed = await ask(url, "/v1/chat/completions", { method: "POST", body: '{"messages":["my secret"]}' });
    expect(failed.body.toString()).toBe("broken for Bearer [key]");
    expect(openAi.seen[0]?.headers.authorization).toBe(`Bearer ${key}-42`);
    await openAi.close();
    expect((await ask(url, "/v1/chat/completions", { method: "POST", body: "{}" })).status).toBe(502);

    const asked = { model: "tiny", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };
    const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
    const answer = await ask(url, "/v1/messages", { method: "POST", headers, body: JSON.stringify(asked) });
    expect(answer.json()).toEqual(ANTHROPIC_ANSWER);
    const sent = anthropic.seen.find(({ path: to }) => to?.endsWith("/messages"));
    expect(sent?.headers["x-api-key"]).toBe(`${key}-43`);

    const generate = "/v1beta/models/gemini-2.5-pro:generateContent";
    const body = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] });
    expect((await ask(url, `${generate}?key=of-the-client`, { method: "POST", body })).json()).toEqual(GEMINI_ANSWER);
    expect(gemini.seen[0]).toMatchObject({ path: generate, headers: { "x-goog-api-key": `${key}-44` } });

    const { code, stdout, stderr } = await stop();
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/sk-never|of-the-client|my secret|Error/);
    await Promise.all([anthropic.close(), gemini.close()]);
  });

  it("refuses a port in use, and explains how to choose another", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : "");
    const env = { ...NO_MODEL, THROUGHLINE_DATA: folder.fresh("data") };
    // The built package has the pages of the Studio, without which no server starts.
    expect(await runCli(["serve", "--port", port], { env })).toEqual({
      code: 3,
      stdout: "",
      stderr: `throughline: Port in use: something already listens at http://127.0.0.1:${port}.\nIf Throughline is already running there, open that address. Otherwise use another port: --port 4871, or 0 for any free one.\n`,
    });
    other.close();
  });

  it.each([
    [["serve", "--port", "70000"], {}, 2, "Expected a port from 0 to 65535."],
    [["--port", "http"], {}, 2, "Expected a port from 0 to 65535."],
    [["--prt", "1"], {}, 2, "unknown option '--prt'"],
    [["serve", "here"], {}, 2, "too many arguments"],
    [
      ["serve"],
      { THROUGHLINE_MODEL_URL: "localhost" },
      2,
      "Invalid model_url: expected a URL such as http://127.0.0.1:11434/v1, without a password.",
    ],
    [
      ["serve"],
      { THROUGHLINE_MODEL_URL: "http://127.0.0.1:1/v1", THROUGHLINE_MODEL_KEY: "a b" },
      2,
      "Invalid model_key: expected visible ASCII characters without spaces.",
    ],
    [
      ["serve"],
      { THROUGHLINE_MODEL_KEY: "hunter2" },
      2,
      "THROUGHLINE_MODEL_KEY is set, but THROUGHLINE_MODEL_URL is not.",
    ],
    [
      ["serve"],
      { THROUGHLINE_ANTHROPIC_KEY: "hunter2" },
      2,
      "THROUGHLINE_ANTHROPIC_KEY is set, but THROUGHLINE_ANTHROPIC_URL is not.",
    ],
    [
      ["serve"],
      { THROUGHLINE_GEMINI_KEY: "hunter2" },
      2,
      "THROUGHLINE_GEMINI_KEY is set, but THROUGHLINE_GEMINI_URL is not.",
    ],
  ] as const)("reports what is wrong with %j %j", async (args, env, code, problem) => {
    const run = await fail(args, env);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(run.stderr).toMatch(/^(?:throughline|error): /);
    expect(run.stderr).toContain(problem);
    expect(run.stderr).not.toContain("hunter2");
  });

  it.skipIf(!isLong || process.platform === "win32")(
    "opens the browser if there is one, and starts in any case",
    async () => {
      const seen = folder.fresh("seen");
      const programs = folder.fresh("programs");
      await mkdir(programs);
      for (const name of ["open", "xdg-open"]) {
        await writeFile(path.join(programs, name), `#!/bin/sh\necho "$1" > "${seen}"\n`, { mode: 0o755 });
      }
      const opened = await start(["--open", "--port", "0"], { PATH: programs });
      await vi.waitUntil(() => existsSync(seen) && readFileSync(seen, "utf8") !== "", PATIENT);
      expect(readFileSync(seen, "utf8")).toBe(`${opened.url}\n`);
      expect((await opened.stop()).code).toBe(0);

      const alone = await start(["--open", "--port", "0"], { PATH: folder.fresh("none") });
      await vi.waitUntil(() => alone.said().includes("Could not open a browser"), PATIENT);
      expect((await ask(alone.url, "/healthz")).status).toBe(200);
      expect((await alone.stop()).code).toBe(0);
    },
  );

  it("has help with an example", async () => {
    const { code, stdout } = await runMain(["serve", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--port", "--open", "--json", "THROUGHLINE_MODEL_URL", "Examples:"])
      expect(stdout).toContain(word);
  });
});
