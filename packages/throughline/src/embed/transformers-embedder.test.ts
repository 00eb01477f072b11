import { describe, expect, it } from "vitest";
import { type LoadExtractor, transformersEmbedder } from "./transformers-embedder.ts";

interface Seen {
  readonly loaded: unknown[];
  readonly texts: string[];
  readonly options: unknown[];
}

/** Fake library, because real models must be downloaded. Shows the calls that we make, not a model's answers. */
function pipelineOf(dims = (count: number) => [count, 4]): { readonly pipeline: LoadExtractor; readonly seen: Seen } {
  const seen: Seen = { loaded: [], texts: [], options: [] };
  const pipeline: LoadExtractor = async (...asked) => {
    seen.loaded.push(asked);
    return async (texts, options) => {
      seen.texts.push(...texts);
      seen.options.push(options);
      const shape = dims(texts.length);
      const data = new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(2);
      return { dims: shape, data };
    };
  };
  return { pipeline, seen };
}

describe("transformersEmbedder", () => {
  it("loads a small E5 model and adds the prefix of each use", async () => {
    const { pipeline, seen } = pipelineOf();
    const embedder = await transformersEmbedder({ pipeline, load: { dtype: "q8" } });
    expect(seen.loaded).toEqual([["feature-extraction", "Xenova/e5-small-v2", { dtype: "q8" }]]);
    expect(embedder).toMatchObject({ name: "transformers/Xenova/e5-small-v2/mean/4", dimensions: 4 });
    seen.texts.length = 0;
    await embedder.embed(["Who?"], "query");
    await embedder.embed(["Me."], "passage");
    await embedder.embed(["You."]);
    expect(seen.texts).toEqual(["query: Who?", "passage: Me.", "passage: You."]);
    expect(seen.options.at(-1)).toEqual({ pooling: "mean", normalize: true });
  });

  it.each([
    ["intfloat/multilingual-e5-small", "query: Who?"],
    ["Xenova/all-MiniLM-L6-v2", "Who?"],
    ["intfloat/multilingual-e5-large-instruct", "Who?"],
  ])("asks %s for %j", async (model, asked) => {
    const { pipeline, seen } = pipelineOf();
    await (await transformersEmbedder({ pipeline, model })).embed(["Who?"], "query");
    expect(seen.texts.at(-1)).toBe(asked);
  });

  it("accepts other prefixes and another pooling", async () => {
    const { pipeline, seen } = pipelineOf();
    const prefixes = { query: "Represent this sentence: ", passage: "" };
    const embedder = await transformersEmbedder({ pipeline, model: "Xenova/bge-small-en", pooling: "cls", prefixes });
    await embedder.embed(["Who?"], "query");
    expect(seen.texts.at(-1)).toBe("Represent this sentence: Who?");
    expect(seen.options.at(-1)).toEqual({ pooling: "cls", normalize: true });
    expect(embedder.name).toBe("transformers/Xenova/bge-small-en/cls/4");
  });

  it("returns unit vectors in order, and zeros for blank texts", async () => {
    const { pipeline } = pipelineOf();
    const half = Float32Array.of(0.5, 0.5, 0.5, 0.5);
    const texts = Array.from({ length: 70 }, (_, at) => (at === 3 ? " " : "word"));
    const vectors = await (await transformersEmbedder({ pipeline })).embed(texts);
    expect(vectors).toEqual(texts.map((_, at) => (at === 3 ? new Float32Array(4) : half)));
  });

  it("stops between two batches when aborted", async () => {
    const { pipeline } = pipelineOf();
    const embedder = await transformersEmbedder({ pipeline });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(embedder.embed(["word"], "query", signal)).rejects.toThrow("enough");
  });

  it.each([
    ["rows for each token", (count: number) => [count, 7, 4]],
    ["nothing", () => [0, 0]],
  ])("refuses a model that returns %s", async (_, dims) => {
    const { pipeline } = pipelineOf(dims);
    await expect(transformersEmbedder({ pipeline })).rejects.toMatchObject({ problem: "wrong-answer" });
  });

  it("reports why a model cannot be loaded", async () => {
    const pipeline: LoadExtractor = async () => {
      throw new Error("Unauthorized access to file");
    };
    const failure = {
      problem: "failed",
      summary: "Could not load model Xenova/e5-small-v2: Unauthorized access to file.",
    };
    await expect(transformersEmbedder({ pipeline })).rejects.toMatchObject(failure);
  });

  it("names the package to install if it is missing, as it is here", async () => {
    await expect(transformersEmbedder()).rejects.toMatchObject({
      code: "embedder",
      problem: "missing-package",
      hint: expect.stringContaining("npm install @huggingface/transformers"),
    });
  });
});
