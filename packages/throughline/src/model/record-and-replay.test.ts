import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APICallError, generateText, type LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { LanguageModel as LanguageModelOf6 } from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeScriptFlags } from "../../../../tools/run/typescript-flags.mjs";
import { packageFolder } from "../../test/built.ts";
import { type AgentRun, runAgent, scriptedModel, VERSIONS, WAYS, type Way } from "./record-and-replay.fixture.ts";
import { recordingModel } from "./recording-model.ts";
import { type ReplayingModel, replayingModel } from "./replaying-model.ts";
import { createTape } from "./tape.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-tape-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the same agent with a tape file in another process. */
function replayElsewhere(version: string, way: Way, file: string): AgentRun {
  const [agent, replaying] = ["record-and-replay.fixture.ts", "replaying-model.ts"].map(
    (name) => new URL(name, import.meta.url).href,
  );
  const script = `
    import { readFileSync } from "node:fs";
    import { runAgent } from "${agent}";
    import { replayingModel } from "${replaying}";
    globalThis.fetch = () => { throw new Error("no network here"); };
    const tape = JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"));
    console.log(JSON.stringify(await runAgent("${version}", "${way}", replayingModel(tape))));`;
  const flags = [...typeScriptFlags, "--input-type=module", "--eval", script];
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: packageFolder, encoding: "utf8" })) as AgentRun;
}

describe.each(VERSIONS)("with AI SDK version %s", (version) => {
  it.each(WAYS)("%s replays in a fresh process what was recorded", async (way) => {
    const plain = await runAgent(version, way, scriptedModel(version));
    const tape = createTape();
    const recorded = await runAgent(version, way, recordingModel(scriptedModel(version), tape));
    expect(recorded).toEqual(plain);
    expect(tape.calls.map(({ call }) => call)).toEqual(
      way === "generateText" ? ["generate", "generate"] : ["stream", "stream"],
    );
    const file = join(folder, `${version}-${way}.json`);
    writeFileSync(file, JSON.stringify(tape, null, 2));
    const replayed = replayElsewhere(version, way, file);
    expect(replayed).toEqual(plain);
    expect(replayed.streamed.length > 8).toBe(way === "streamText");
  });

  it("keeps headers, cookies and request bodies off the tape", async () => {
    const tape = createTape();
    for (const way of WAYS) await runAgent(version, way, recordingModel(scriptedModel(version), tape));
    const written = JSON.stringify(tape);
    expect(written).toContain("q-1");
    for (const secret of ["not-for-the-tape", "session=1", "as it was"]) expect(written).not.toContain(secret);
  });

  it("records the supported URLs, and each message once", async () => {
    const tape = createTape();
    for (const way of WAYS) await runAgent(version, way, recordingModel(scriptedModel(version), tape));
    expect(replayingModel(JSON.parse(JSON.stringify(tape))).supportedUrls).toEqual({
      "image/*": [/^https:\/\/images\.example\//i],
    });
    // Question, call, result and tool definition.
    expect(tape.messages).toHaveLength(4);
    expect(tape.calls).toHaveLength(4);
  });
});

describe("recordingModel", () => {
  it("matches the types of the recorded version", () => {
    const newer: LanguageModel = recordingModel(new MockLanguageModelV4(), createTape());
    const older: LanguageModelOf6 = recordingModel(new MockLanguageModelV3(), createTape());
    expect([newer, older]).toMatchObject([{ specificationVersion: "v4" }, { specificationVersion: "v3" }]);
  });
});

describe("replayingModel", () => {
  it("matches the types of either version", () => {
    const model = undefined as unknown as ReplayingModel;
    const fits: [LanguageModel, LanguageModelOf6] = [model, model];
    expect(fits).toHaveLength(2);
  });

  it("throws the provider's error, so that the SDK handles it in the same way", async () => {
    const failing = scriptedModel("7");
    const thrown = new APICallError({
      message: "This model's maximum context length is 8192 tokens.",
      url: "https://api.example/v1?key=0123456789",
      requestBodyValues: { prompt: "private" },
      statusCode: 400,
      responseBody: '{"error":{"code":"context_length_exceeded"}}',
      isRetryable: false,
    });
    failing.doGenerate = () => Promise.reject(thrown);
    const tape = createTape();
    const ask = (model: LanguageModel) => generateText({ model, prompt: "Hello", maxRetries: 1 }).catch((e) => e);
    expect(await ask(recordingModel(failing, tape) as LanguageModel)).toBe(thrown);
    const file = join(folder, "error.json");
    writeFileSync(file, JSON.stringify(tape));
    expect(readFileSync(file, "utf8")).not.toMatch(/private|0123456789/);
    const replayed = await ask(replayingModel(JSON.parse(readFileSync(file, "utf8"))));
    expect(APICallError.isInstance(replayed)).toBe(true);
    const { name, message, statusCode, responseBody, isRetryable } = thrown;
    expect(replayed).toMatchObject({ name, message, statusCode, responseBody, isRetryable });
  });
});
