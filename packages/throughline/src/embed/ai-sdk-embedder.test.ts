import { APICallError, type EmbeddingModel as EmbeddingModel7, embed as embed7 } from "ai";
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from "ai/test";
import { type EmbeddingModel as EmbeddingModel6, embed as embed6 } from "ai-v6";
import { MockEmbeddingModelV3 as MockEmbeddingModelOf6 } from "ai-v6/test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { aiSdkEmbedder, type EmbeddingModelLike } from "./ai-sdk-embedder.ts";

type Call = Parameters<MockEmbeddingModelV4["doEmbed"]>[0];

/** Text length, then 1: never all zeros. */
const vectorOf = (text: string) => [text.length, 1, 0];
const answer = async ({ values }: { values: string[] }) => ({ embeddings: values.map(vectorOf), warnings: [] });

function modelOf(doEmbed: (call: Call) => Promise<unknown>, maxEmbeddingsPerCall: number | null = 10) {
  return new MockEmbeddingModelV4({ maxEmbeddingsPerCall, doEmbed: doEmbed as never });
}

function failing(times: number, isRetryable: boolean) {
  let left = times;
  return modelOf(async (call) => {
    left -= 1;
    const about = { url: "http://localhost", requestBodyValues: {}, message: "overloaded" };
    if (left >= 0) throw new APICallError({ ...about, isRetryable });
    return answer(call);
  });
}

const unit = (text: string) => {
  const length = Math.hypot(...vectorOf(text));
  return Float32Array.from(vectorOf(text), (value) => value / length);
};

describe("aiSdkEmbedder", () => {
  it.each([
    ["7", new MockEmbeddingModelV4({ doEmbed: answer })],
    ["7, of specification 3", new MockEmbeddingModelV3({ doEmbed: answer })],
    ["6", new MockEmbeddingModelOf6({ doEmbed: answer })],
  ])("accepts models of AI SDK version %s", async (_, model) => {
    const embedder = await aiSdkEmbedder(model);
    expect(embedder).toMatchObject({ name: "mock-provider/mock-model-id/3", dimensions: 3 });
    expect(await embedder.embed(["one", "three"])).toEqual([unit("one"), unit("three")]);
  });

  it("accepts the model types of the AI SDK", async () => {
    const seven = new MockEmbeddingModelV4({ doEmbed: answer });
    const six = new MockEmbeddingModelOf6({ doEmbed: answer });
    const models: EmbeddingModelLike[] = [
      seven satisfies EmbeddingModel7,
      six satisfies EmbeddingModel6,
      seven as Exclude<EmbeddingModel7, string>,
      six as Exclude<EmbeddingModel6, string>,
    ];
    expect((await embed7({ model: seven, value: "one" })).embedding).toEqual([3, 1, 0]);
    expect((await embed6({ model: six, value: "one" })).embedding).toEqual([3, 1, 0]);
    expect(models).toHaveLength(4);
  });

  it("asks the model for its dimensions only if they are not given", async () => {
    const model = modelOf(answer);
    await aiSdkEmbedder(model, { dimensions: 3 });
    expect(model.doEmbedCalls).toHaveLength(0);
    await expect(aiSdkEmbedder(model, { dimensions: 0 })).rejects.toThrow(InvalidOptionError);
    await expect(aiSdkEmbedder(model, { longest: Number.NaN })).rejects.toThrow(InvalidOptionError);
  });

  it("returns one vector per text for any batch size", async () => {
    const perCall = fc.option(fc.integer({ min: 1, max: 7 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.lorem({ maxCount: 3 })), perCall, async (texts, max) => {
        const model = modelOf(answer, max);
        const embedder = await aiSdkEmbedder(model, { dimensions: 3 });
        expect(await embedder.embed(texts)).toEqual(texts.map(unit));
        expect(model.doEmbedCalls.every(({ values }) => values.length <= (max ?? 96))).toBe(true);
      }),
    );
  });

  it("sends no blank texts, truncates long ones between characters, and sends few of those at once", async () => {
    const model = modelOf(answer, 1_000);
    const embedder = await aiSdkEmbedder(model, { dimensions: 3, longest: 5 });
    expect(await embedder.embed(["", "abcd🙂", " \n"])).toEqual([
      new Float32Array(3),
      unit("abcd?"),
      new Float32Array(3),
    ]);
    expect(model.doEmbedCalls.map(({ values }) => values)).toEqual([["abcd\uFFFD"]]);
    const long = modelOf(answer, 1_000);
    await (await aiSdkEmbedder(long, { dimensions: 3 })).embed(Array.from({ length: 60 }, () => "x".repeat(9_000)));
    expect(long.doEmbedCalls.map(({ values }) => values.length)).toEqual([25, 25, 10]);
  });

  it("passes the use of the texts to the model", async () => {
    const model = modelOf(answer);
    const providerOptions = (use: string) => ({ cohere: { inputType: `search_${use}` } });
    const embedder = await aiSdkEmbedder(model, { dimensions: 3, providerOptions });
    await embedder.embed(["who?"], "query");
    await embedder.embed(["me"]);
    const told = model.doEmbedCalls.map((call) => call.providerOptions);
    expect(told).toEqual([{ cohere: { inputType: "search_query" } }, { cohere: { inputType: "search_passage" } }]);
  });

  it("retries temporary failures a limited number of times", async () => {
    const passing = failing(2, true);
    const options = { dimensions: 3, retryDelay: 1 };
    expect(await (await aiSdkEmbedder(passing, options)).embed(["one"])).toEqual([unit("one")]);
    expect(passing.doEmbedCalls).toHaveLength(3);
    const lasting = failing(9, true);
    const failure = { code: "embedder", problem: "failed", summary: "Embedding failed: overloaded." };
    await expect((await aiSdkEmbedder(lasting, options)).embed(["one"])).rejects.toMatchObject(failure);
    expect(lasting.doEmbedCalls).toHaveLength(3);
    const hopeless = failing(1, false);
    await expect((await aiSdkEmbedder(hopeless, options)).embed(["one"])).rejects.toMatchObject(failure);
    expect(hopeless.doEmbedCalls).toHaveLength(1);
  });

  it("gives up on a model that does not answer", async () => {
    const silent = modelOf(() => new Promise(() => undefined));
    const embedder = await aiSdkEmbedder(silent, { dimensions: 3, timeLimit: 20 });
    await expect(embedder.embed(["one"])).rejects.toThrow("the model did not answer in 0.02 s");
    expect(silent.doEmbedCalls[0]?.abortSignal?.aborted).toBe(true);
  });

  it("stops when aborted, also between two attempts", async () => {
    const controller = new AbortController();
    const model = failing(9, true);
    const embedder = await aiSdkEmbedder(model, { dimensions: 3, retryDelay: 60_000 });
    const running = embedder.embed(["one"], "query", controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(running).rejects.toThrow("enough");
    expect(model.doEmbedCalls).toHaveLength(1);
  });

  it.each([
    ["too few vectors", []],
    ["vectors of another length", [[1, 2]]],
    ["what is no number", [[1, Number.NaN, 2]]],
    ["nothing where numbers should be", [[1, null, 2]]],
    ["no vector", [undefined]],
    ["no list", undefined],
  ])("refuses %s", async (_, embeddings) => {
    const embedder = await aiSdkEmbedder(
      modelOf(async () => ({ embeddings })),
      { dimensions: 3 },
    );
    await expect(embedder.embed(["one"])).rejects.toThrow(EmbedderError);
    await expect(embedder.embed(["one"])).rejects.toMatchObject({ problem: "wrong-answer" });
  });

  it("refuses a model without known dimensions", async () => {
    const empty = modelOf(async () => ({ embeddings: [] }));
    await expect(aiSdkEmbedder(empty)).rejects.toMatchObject({ problem: "wrong-answer" });
  });
});
