import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../server/test/request.ts";
import { sendText } from "../../throughline/src/model/chat-server.fixture.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { startMcp } from "./mcp-client.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";
import { failing, type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";
import { NO_MODEL, startServe } from "./start-serve.ts";

const KEY = "sk-never-to-be-seen-0123456789";
const folder = temporaryFolder();

let server: ScriptedModel | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const QUOTE =
  "he strongly prefers using explicit error handling patterns with Result types instead of try-catch blocks";
const TIM = {
  fact: "Tim prefers explicit error handling with Result types instead of try-catch blocks",
  quote: QUOTE,
  key: "error_handling",
  value: "Result<T,E> over try-catch",
};
const SAID = [
  `Tim mentioned that ${QUOTE}, especially in TypeScript code where type safety is important.`,
  "Never touch the generated files.",
];

let files = 0;
function transcript(said: readonly string[] = SAID): Promise<string> {
  files += 1;
  const lines = said.map((content, at) => ({
    parentUuid: null,
    sessionId: `talk-${files}`,
    isSidechain: false,
    cwd: "/home/ada/shop",
    version: "2.1.0",
    type: "user",
    uuid: `u${files}-${at}`,
    message: { role: "user", content },
  }));
  return folder.file(`said-${files}.jsonl`, lines.map((line) => JSON.stringify(line)).join("\n"));
}

/** Commands on a separate data folder, with a scripted model that no setting names. */
async function withModel(script: Script) {
  server = await scriptedModel(script);
  const data = folder.fresh("data");
  const env = { ...NO_MODEL, THROUGHLINE_MODEL_URL: server.baseUrl, THROUGHLINE_MODEL_KEY: KEY };
  const run = async (...args: readonly string[]) => {
    const ran = await runMain([...args, "--data", data], { env });
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
    return ran;
  };
  const facts = async () => {
    const { stdout } = await run("memories", "--json", "--kind", "fact");
    return (JSON.parse(stdout) as { levels: { full: string }; key?: string; value?: string }[]).map(
      ({ levels, key, value }) => ({ text: levels.full, key, value }),
    );
  };
  return { data, env, run, facts, server };
}

const REASONING = (text: string) =>
  `<think>\nThe user says [{"fact": "wrong"}], so…\n</think>\n\n\`\`\`json\n${text}\n\`\`\``;

describe("throughline import --remember with a model", () => {
  it.each([
    ["", undefined],
    [" that reasons", REASONING],
  ])("stores the facts of a model%s, and counts the requests", async (_, wrap) => {
    const { run, facts, server: model } = await withModel({ facts: [TIM], ...(wrap && { wrap }) });
    const { code, stdout, stderr } = await run("import", await transcript(), "--remember");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("facts") });
    expect(stdout).toMatch(/^Model tiny: \d+ requests?, \d failed/m);
    expect(await facts()).toEqual([{ text: TIM.fact, key: "error_handling", value: "Result<T,E> over try-catch" }]);
    expect(model.tasks()).toContain("facts");
    expect((await run("doctor")).stdout).toMatch(
      /model +tiny at 127\.0\.0\.1:\d+, answers\n +requests +\d+ in the last 7 days/,
    );
  });

  it.each<[string, NonNullable<Script["instead"]>, RegExp, string]>([
    ["is overloaded", failing(429, `slow down, ${KEY}`), /is overloaded or failing \(429\)/, "overloaded (HTTP 429)"],
    ["fails", failing(500, "boom"), /is overloaded or failing \(500\)/, "overloaded (HTTP 500)"],
    ["refuses the key", failing(401, `bad key ${KEY}`), /rejected the API key \(401\)/, "key refused (HTTP 401)"],
    [
      "answers something else",
      (response) => sendText(response, "I love facts!"),
      /the reply is not a list of facts/,
      "unusable",
    ],
    ["quotes the prompt", failing(400, `Bad: ${SAID[1]}`), /\(400\): Bad: Never touch/, "refused (HTTP 400)"],
  ])("stores the facts of the rules and says why if the model %s", async (_, instead, reason, kind) => {
    const { run, facts } = await withModel({ instead });
    const { code, stdout, stderr } = await run("import", await transcript(), "--remember");
    expect(code).toBe(0);
    expect(stderr).toMatch(reason);
    expect(stdout).toMatch(/^Model tiny: \d+ requests?, [1-9]\d* failed.*; rules did that work\. Last failure: /m);
    expect((await facts()).map(({ text }) => text)).toContain("Never touch the generated files");
    // The endpoint's text is printed, not stored.
    const doctor = (await run("doctor")).stdout;
    expect(/last failure .*, \w+: (.*)/.exec(doctor)?.[1]).toBe(kind);
  });

  it("does not wait for each request of a model that keeps failing", async () => {
    const { run, server: model } = await withModel({ instead: failing(500, "boom") });
    const many = await Promise.all(Array.from({ length: 8 }, () => transcript()));
    const { stdout } = await run("import", ...many, "--remember", "--json");
    const { model: use } = JSON.parse(stdout);
    expect(use).toMatchObject({ model: "tiny", answered: 0, failed: 3 });
    expect(use.skipped).toBeGreaterThan(0);
    // Three attempts per request.
    expect(model.tasks()).toHaveLength(9);
  });

  longTest(
    "can be interrupted while the model is asked, and reads the messages with the model when it is repeated",
    async () => {
      const asked = Promise.withResolvers<void>();
      let isHanging = true;
      const { data, env, run, facts } = await withModel({
        instead: (response) => {
          asked.resolve();
          if (!isHanging) sendText(response, JSON.stringify([{ category: "preference", confidence: "high", ...TIM }]));
        },
      });
      const file = await transcript();
      const child = startCli(["import", file, "--remember", "--data", data], { env });
      const end = endOf(child);
      await asked.promise;
      child.kill("SIGINT");
      expect(await end).toMatchObject({
        code: 130,
        stderr: expect.stringContaining("run the same command again to continue"),
      });
      isHanging = false;
      expect((await run("import", file, "--remember")).code).toBe(0);
      expect(await facts()).toMatchObject([{ key: "error_handling" }]);
    },
  );

  it("sends no more requests than --max-model-calls, and none with --without-model", async () => {
    const { run, server: model } = await withModel({ facts: [TIM] });
    const many = await Promise.all(Array.from({ length: 3 }, () => transcript()));
    const { stdout, stderr } = await run("import", ...many, "--remember", "--max-model-calls", "1");
    expect(stdout).toMatch(/^Model tiny: 1 request, 0 failed, \d+ not sent; rules did that work\.$/m);
    expect({ stderr, tasks: model.tasks() }).toEqual({ stderr: "", tasks: ["facts"] });
    expect((await run("import", await transcript(), "--remember", "--without-model")).stdout).not.toContain("Model");
    expect(model.tasks()).toHaveLength(1);
  });
});

describe("remember and consolidate with a model", () => {
  it("ask it to compare facts", async () => {
    const { run, server: model } = await withModel({ relation: "supersedes", wrap: REASONING });
    await run("remember", "Deployments happen from the release branch.");
    const { code, stdout } = await run("remember", "Deployments happen from the trunk.");
    expect({ code, tasks: model.tasks() }).toEqual({ code: 0, tasks: ["comparison"] });
    expect(stdout).toMatch(/replaced/i);
    await run("remember", "Deployments happen from the hotfix branch.", "--without-model");
    const consolidated = await run("consolidate", "--json");
    expect(model.tasks()).toHaveLength(2);
    expect(JSON.parse(consolidated.stdout)).toMatchObject({ model: { model: "tiny", answered: 1, failed: 0 } });
  });

  it("go on by rules if it fails", async () => {
    const { run } = await withModel({ instead: failing(500, "boom") });
    await run("remember", "Deployments happen from the release branch.");
    const { code, stderr } = await run("remember", "Deployments happen from the trunk.");
    expect(code).toBe(0);
    expect(stderr).toMatch(/No comparison of memories from the model \(.*500.*\); rules do the work\./);
  });
});

describe("the session-end hook with a model", () => {
  it("does not make the agent wait for the model, and stores its facts later", async () => {
    const answered = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { data, env, facts } = await withModel({
      instead: async (response) => {
        asked.resolve();
        await answered.promise;
        sendText(response, JSON.stringify([{ category: "preference", confidence: "high", ...TIM }]));
      },
    });
    const input = JSON.stringify({ transcript_path: await transcript(), cwd: folder.path });
    const hook = await runCli(["hook", "session-end", "--data", data], { input, env });
    // The hook has ended, and the model has not answered.
    expect(hook).toEqual({ code: 0, stdout: "", stderr: "" });
    await asked.promise;
    answered.resolve();
    await expect.poll(facts).toEqual([expect.objectContaining({ key: "error_handling" })]);
    // The process that the hook started ends by itself when the episode is stored.
    await expect
      .poll(async () => (await runMain(["doctor", "--json", "--data", data])).stdout)
      .toMatch(/"usedBy":\s*\[\s*\]/);
  });
});

describe("throughline mcp with a model", () => {
  longTest("asks it to compare what the agent saves", async () => {
    const { data, env, server: model } = await withModel({ relation: "supersedes" });
    const { client, call } = await startMcp({ data, cwd: folder.path, env });
    await call("remember", { text: "Deployments happen from the release branch." });
    await call("remember", { text: "Deployments happen from the trunk." });
    await client.close();
    expect(model.tasks()).toEqual(["comparison"]);
  });
});

describe("throughline serve with a model", () => {
  const json = { "content-type": "application/json" };

  it("names the model it uses, extracts and compares with it, and counts the requests", async () => {
    const { data, env, server: model } = await withModel({ facts: [TIM], relation: "compatible", wrap: REASONING });
    const { url, stop, said } = await startServe(["serve", "--port", "0", "--data", data], env);
    await expect
      .poll(said)
      .toMatch(
        /^Model for facts, contradictions and summaries: tiny at 127\.0\.0\.1:\d+, the first that it lists; THROUGHLINE_MODEL selects another\.$/m,
      );
    const post = (path: string, body: object) =>
      ask(url, path, { method: "POST", headers: json, body: JSON.stringify(body) });
    const messages = SAID.map((text, at) => ({ id: `m${at}`, role: "user", text }));
    const ingested = await post("/memories/ingest", { session_id: "s1", messages });
    expect(ingested.json()).toMatchObject({ memories: [{ memory: { key: "error_handling" } }] });
    await post("/memories", { text: "Tim prefers exceptions in scripts." });
    await post("/consolidate", {});
    expect(model.tasks().filter((task) => task === "facts")).toHaveLength(1);
    expect(model.tasks()).toContain("comparison");
    const metrics = (await ask(url, "/metrics")).body.toString();
    expect(metrics).toContain('throughline_model_calls_total{task="facts",outcome="answered"} 1');
    expect((await stop()).code).toBe(0);
    const doctor = await runMain(["doctor", "--json", "--data", data], { env });
    expect(JSON.parse(doctor.stdout).modelCalls.days).toMatchObject([{ failed: 0 }]);
  });

  longTest("starts and works by rules if the endpoint does not answer, and says so", async () => {
    const { data, env, server: model } = await withModel({});
    await model.close();
    server = undefined;
    const { url, stop, said } = await startServe(["serve", "--port", "0", "--data", data], env);
    await expect
      .poll(said)
      .toMatch(
        /^No model for facts and summaries: The model at .* is unreachable: .*\. Rules do the work until it answers\.$/m,
      );
    const body = JSON.stringify({
      session_id: "s1",
      messages: [{ role: "user", text: "Never touch the generated files." }],
    });
    const ingested = await ask(url, "/memories/ingest", { method: "POST", headers: json, body });
    expect(ingested.json()).toMatchObject({ memories: [{ outcome: "added" }] });
    const metrics = (await ask(url, "/metrics")).body.toString();
    expect(metrics).toContain('throughline_model_calls_total{task="facts",outcome="failed"} 1');
    const { code, stderr } = await stop();
    expect(code).toBe(0);
    expect(stderr).not.toContain(KEY);
  });
});

describe("a configured embedder", () => {
  async function withEmbedder() {
    server = await scriptedModel({});
    const data = folder.fresh("data");
    const env = {
      ...NO_MODEL,
      THROUGHLINE_EMBEDDER_URL: server.baseUrl,
      THROUGHLINE_EMBEDDER_KEY: KEY,
      THROUGHLINE_EMBEDDER_MODEL: "small-embed",
    };
    const run = async (...args: readonly string[]) => {
      const ran = await runMain([...args, "--data", data], { env });
      expect(ran.stdout + ran.stderr).not.toContain(KEY);
      return ran;
    };
    return { data, run, plain: memoryCommands(data), server };
  }

  it("makes the vectors of new data, and no command complains", async () => {
    const { run, server: model } = await withEmbedder();
    expect((await run("remember", "We deploy with make ship.")).stderr).toBe("");
    expect((await run("recall", "deploy make ship")).stderr).toBe("");
    expect(model.asked.every(({ path }) => path === "/v1/embeddings")).toBe(true);
    expect(JSON.parse((await run("doctor", "--json")).stdout)).toMatchObject({
      embedder: { name: "small-embed", failure: null },
      vectors: { "endpoint/small-embed": 1 },
      problems: [],
    });
    expect((await run("config")).stdout).toMatch(/embedder_key +\(set\)/);
  });

  it("after another one: commands and doctor say what to do, and reembed does it", async () => {
    const { run, plain } = await withEmbedder();
    await plain.keep("We deploy with make ship.");
    const { stdout, stderr } = await run("recall", "deploy make ship");
    expect(stdout).toContain("make ship");
    expect(stderr).toMatch(
      /^The memories have vectors of the embedder \S+, but endpoint\/small-embed is configured; .*Run `throughline reembed`\.$/m,
    );
    const doctor = await run("doctor", "--json");
    expect(JSON.parse(doctor.stdout).problems).toEqual([expect.stringContaining("throughline reembed")]);
    expect(await run("reembed")).toMatchObject({
      code: 0,
      stdout: "Computed 1 vector with endpoint/small-embed; every memory has a vector.\n",
    });
    expect((await run("recall", "deploy make ship")).stderr).toBe("");
    expect(await run("doctor")).toMatchObject({ code: 0 });
    // Back to the default.
    expect((await plain.run("recall", "deploy make ship")).stderr).toContain("throughline reembed");
    expect((await plain.run("reembed")).code).toBe(0);
    expect((await plain.run("recall", "deploy make ship")).stderr).toBe("");
  });

  it("needs a URL and a model", async () => {
    const run = await runMain(["recall", "x", "--data", folder.fresh("data")], {
      env: { ...NO_MODEL, THROUGHLINE_EMBEDDER_MODEL: "small-embed" },
    });
    expect(run).toMatchObject({ code: 0 });
    const { plain } = await withEmbedder();
    await plain.keep("We deploy with make ship.");
    const refused = await runMain(["recall", "x", "--data", plain.data], {
      env: { ...NO_MODEL, THROUGHLINE_EMBEDDER_MODEL: "small-embed" },
    });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("THROUGHLINE_EMBEDDER_MODEL is set, but THROUGHLINE_EMBEDDER_URL is not."),
    });
  });
});
