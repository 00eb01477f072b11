import { afterEach, describe, expect, it } from "vitest";
import {
  type Answering,
  type ChatServer,
  chatServer,
  sendError,
  sendJson,
  sendText,
} from "../../throughline/src/model/chat-server.fixture.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const KEY = "sk-never-to-be-seen-0123456789";
const folder = temporaryFolder();

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const transcript = JSON.stringify([
  { role: "user", content: "Why is the export slow? Never change the file format." },
  ...Array.from({ length: 40 }, (_, turn) => [
    { role: "assistant", content: `The exporter reads part ${turn} twice. `.repeat(12) },
    { role: "user", content: `And part ${turn}?` },
  ]).flat(),
]);
const PROSE = `### Original Task
Find out why the export is slow.
### Completed Work
The exporter reads every part twice.
### Current State
Parts up to 39 were checked.`;

/** Runs `compact` on a transcript, with a model behind a scripted server. */
async function compact(answer: Answering, args: readonly string[] = [], env: Record<string, string | undefined> = {}) {
  await server?.close();
  server = await chatServer(answer);
  const settings = {
    THROUGHLINE_MODEL_URL: server.baseUrl,
    THROUGHLINE_MODEL_KEY: KEY,
    THROUGHLINE_MODEL: "tiny",
    ...env,
  };
  const run = await runMain(["compact", "-", "--budget", "3000", ...args], { input: transcript, env: settings });
  expect(run.stdout + run.stderr).not.toContain(KEY);
  return { ...run, asked: server.asked };
}

describe("throughline compact with a configured model", () => {
  it("waits for the model and prints its prose", async () => {
    const { code, stdout, stderr, asked } = await compact((response) => sendText(response, PROSE));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("compacted, summary by tiny");
    expect(stdout).toContain("### Completed Work\nThe exporter reads every part twice.");
    // The record is kept next to the model's summary.
    expect(stdout).toContain("Never change the file format.");
    expect(asked[0]).toMatchObject({ headers: { authorization: `Bearer ${KEY}` }, body: { model: "tiny" } });
  });

  it("asks the model that --model names", async () => {
    const { stdout, asked } = await compact((response) => sendText(response, PROSE), ["--model", "large", "--json"]);
    expect(asked.map(({ body }) => body.model)).toEqual(["large"]);
    expect(JSON.parse(stdout)).toMatchObject({ summarizedBy: "large" });
  });

  it.each<[string, Answering, RegExp]>([
    ["refuses the key", (response) => sendError(response, 401, `Bad key ${KEY}`), /rejected the API key \(401\)/],
    ["writes something else", (response) => sendText(response, "Sure!"), /the summary lacks the requested sections/],
  ])("prints the summary by rules, and the reason to stderr, if the model %s", async (_, answer, reason) => {
    const { code, stdout, stderr } = await compact(answer);
    expect(code).toBe(0);
    expect(stdout).toContain("compacted, summary by rules");
    expect(stdout).toContain("### Requests and what happened");
    expect(stderr).toMatch(reason);
  });

  it("asks the first model that the endpoint lists if none is named", async () => {
    const answer: Answering = (response, { path }) =>
      path === "/v1/models"
        ? sendJson(response, 200, { data: [{ id: "small-embed" }, { id: "first" }, { id: "second" }] })
        : sendText(response, PROSE);
    const { stdout, asked } = await compact(answer, ["--json"], { THROUGHLINE_MODEL: "" });
    expect(asked.map(({ path, body }) => [path, body.model])).toEqual([
      ["/v1/models", undefined],
      ["/v1/chat/completions", "first"],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ summarizedBy: "first" });
  });

  it("asks no model with --without-model, and without a URL", async () => {
    const answer: Answering = (response) => sendText(response, PROSE);
    const runs = [
      await compact(answer, ["--without-model"]),
      await compact(answer, ["--model", "tiny"], {
        THROUGHLINE_MODEL_URL: "",
        THROUGHLINE_MODEL_KEY: "",
        THROUGHLINE_MODEL: "",
      }),
    ];
    for (const { code, stdout, stderr, asked } of runs) {
      expect({ code, stderr, asked }).toEqual({ code: 0, stderr: "", asked: [] });
      expect(stdout).toContain("summary by rules");
    }
  });

  it("names the setting that is missing", async () => {
    const run = await compact((response) => sendText(response, PROSE), [], { THROUGHLINE_MODEL_URL: "" });
    expect(run).toMatchObject({ code: 2, stdout: "", asked: [] });
    expect(run.stderr).toContain("THROUGHLINE_MODEL_URL is not");
  });

  it("stores the model's summary of a stored session", async () => {
    server = await chatServer((response) => sendText(response, PROSE));
    const data = folder.fresh("data");
    const file = await folder.file("chat.json", transcript);
    const { run } = memoryCommands(data);
    expect((await run("import", file, "--session", "s1", "--format", "openai")).code).toBe(0);
    const env = { THROUGHLINE_MODEL_URL: server.baseUrl, THROUGHLINE_MODEL: "tiny" };
    const args = ["compact", "--session", "s1", "--budget", "3000", "--data", data];
    const { code, stdout, stderr } = await runMain(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("summary by tiny");
    expect((await run("recall", "compaction-1", "--session", "s1")).code).toBe(0);
  });
});
