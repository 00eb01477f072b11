import { afterEach, describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { type Answering, type ChatServer, chatServer, sendError, sendJson } from "../model/chat-server.fixture.ts";
import { createThroughline } from "../throughline.ts";
import { type OpenAiCompatibleEmbedderOptions, openAiCompatibleEmbedder } from "./openai-compatible-embedder.ts";

const KEY = "k3y-of-nobody-0123456789";

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(answer: Answering, options: Partial<OpenAiCompatibleEmbedderOptions> = {}) {
  server = await chatServer(answer);
  const { baseUrl, asked } = server;
  const embedder = openAiCompatibleEmbedder({ baseUrl, model: "small", apiKey: KEY, retryDelay: 1, ...options });
  return { asked, embedder };
}

/** Vectors that depend on the length of the text, listed from the last to the first. */
const vectors: Answering = (response, { body }) => {
  const input = body.input as string[];
  const data = input.map((text, index) => ({ index, embedding: [text.length, 1] })).toReversed();
  sendJson(response, 200, { data });
};

describe("openAiCompatibleEmbedder", () => {
  it("requests nothing before the first text, then vectors of unit length in the order of the texts", async () => {
    const { embedder, asked } = await open(vectors);
    expect({ name: embedder.name, dimensions: embedder.dimensions, asked }).toEqual({
      name: "endpoint/small",
      dimensions: 0,
      asked: [],
    });
    const [first, blank, second] = await embedder.embed(["abc", " ", "abcdefg"]);
    expect([...(first ?? [])]).toEqual([expect.closeTo(3 / Math.hypot(3, 1)), expect.closeTo(1 / Math.hypot(3, 1))]);
    expect([...(blank ?? [])]).toEqual([0, 0]);
    expect(second?.[0]).toBeCloseTo(7 / Math.hypot(7, 1));
    expect(embedder.dimensions).toBe(2);
    expect(asked).toMatchObject([
      {
        path: "/v1/embeddings",
        headers: { authorization: `Bearer ${KEY}` },
        body: { model: "small", input: ["abc", "abcdefg"], encoding_format: "float" },
      },
    ]);
  });

  it("requests the dimensions that were set, and names them", async () => {
    const { embedder, asked } = await open(vectors, { dimensions: 2 });
    await embedder.embed(["abc"]);
    expect(embedder.name).toBe("endpoint/small/2");
    expect(asked[0]?.body).toMatchObject({ dimensions: 2 });
  });

  it("retries an overloaded server", async () => {
    const { embedder, asked } = await open((response, request, index) =>
      index === 0
        ? sendError(response, 429, "slow down", { "retry-after-ms": "1" })
        : vectors(response, request, index),
    );
    expect(await embedder.embed(["abc"])).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it.each<[string, Answering, Partial<OpenAiCompatibleEmbedderOptions>, RegExp]>([
    ["refuses the key", (response) => sendError(response, 401, `Bad key ${KEY}`), {}, /rejected the API key/],
    ["sends no vectors", (response) => sendJson(response, 200, { ok: true }), {}, /returned no vectors/],
    ["sends another number of vectors", (response) => sendJson(response, 200, { data: [] }), {}, /returned no vectors/],
    ["hangs", () => undefined, { timeLimit: 50 }, /did not answer in 0\.05 s/],
    [
      "sends vectors of another length",
      (response) => sendJson(response, 200, { data: [{ index: 0, embedding: [1, 2, 3] }] }),
      { dimensions: 2 },
      /3 dimensions, expected 2/,
    ],
  ])("throws an error without the key if the server %s", async (_, answer, options, message) => {
    const { embedder } = await open(answer, options);
    const error = await embedder.embed(["abc"]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbedderError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain(KEY);
  });

  it.each([{ model: "" }, { dimensions: 0 }, { longest: 0.5 }, { timeLimit: 0 }, { baseUrl: "ftp://x" }])(
    "refuses %j",
    (options) => {
      expect(() => openAiCompatibleEmbedder({ baseUrl: "http://127.0.0.1/v1", model: "m", ...options })).toThrow(
        InvalidOptionError,
      );
    },
  );

  it("embeds memories, and recall continues by words if it fails", async () => {
    let isDown = false;
    const { embedder } = await open(
      (...answering) => (isDown ? sendError(answering[0], 401, "gone") : vectors(...answering)),
      { maxRetries: 0 },
    );
    const logged: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => void logged.push(text) };
    const tl = await createThroughline({ embedder, logger });
    await tl.memory.remember({ text: "We deploy with make ship." });
    isDown = true;
    expect(await tl.memory.recall("deploy make ship")).toMatchObject([{ text: "We deploy with make ship." }]);
    expect(logged).toEqual([expect.stringContaining("Embedder endpoint/small failed")]);
    await tl.close();
  });
});
