import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { wordEmbedder } from "./word-embedder.ts";

const embedder = wordEmbedder();
const file = new Uint8Array(readFileSync(new URL("./word-vectors.bin", import.meta.url)));

async function embed(text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text]);
  if (vector === undefined) throw new Error("no vector");
  return vector;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

async function likeness(a: string, b: string): Promise<number> {
  return dot(await embed(a), await embed(b));
}

describe("wordEmbedder", () => {
  it.each([
    ["dog", "puppy", "car"],
    ["doctor", "physician", "banana"],
    ["postgres", "database", "breakfast"],
    ["I bought a new car.", "She purchased a vehicle.", "The soup was cold."],
    ["We moved to PostgreSQL in May.", "Which database do we use?", "What did Anna eat for lunch?"],
    ["I love hiking in the mountains.", "Trekking up peaks is my passion.", "The invoice is due on Friday."],
    ["My sister lives in Berlin.", "Where does her sibling live?", "He fixed the bug in the parser."],
  ])("finds %j more similar to %j than to %j", async (text, near, far) => {
    expect(await likeness(text, near)).toBeGreaterThan((await likeness(text, far)) + 0.3);
  });

  it.each([
    ["an inflection that it does not know", "The repainters came.", "Someone repaints it."],
    ["a compound that it does not know", "flowerbasket", "basket of flowers"],
    ["other words of a language that it does not know", "Мы живём в Праге", "Мы живём в Бонне"],
    ["a language without spaces between words", "我住在柏林", "我住在巴黎"],
    ["accents and capitals", "ZOË'S CAFÉ", "zoe cafe"],
    ["the plural of a name that it does not know", "frobnix", "frobnixes"],
  ])("embeds %s", async (_, a, b) => {
    expect(await likeness(a, b)).toBeGreaterThan(0.3);
  });

  it("distinguishes unknown names and numbers", async () => {
    expect(await likeness("zquorx", "zquorx")).toBeCloseTo(1);
    expect(Math.abs(await likeness("zquorx", "vlimpt"))).toBeLessThan(0.4);
    expect(Math.abs(await likeness("12345", "12346"))).toBeLessThan(0.4);
  });

  it.each(["", "   \n", "!?", "🙂", "a", "I"])("returns zeros for %j, which has no content", async (text) => {
    expect((await embed(text)).every((value) => value === 0)).toBe(true);
  });

  it("returns a reproducible unit vector or zeros for any text, alone and in a batch", async () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.lorem());
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const vectors = await embedder.embed(texts);
        expect(vectors).toHaveLength(texts.length);
        const fresh = wordEmbedder({ bytes: file });
        for (const [at, vector] of vectors.entries()) {
          expect(vector).toHaveLength(embedder.dimensions);
          const length = dot(vector, vector);
          expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
          expect((await fresh.embed([texts[at] ?? ""]))[0]).toEqual(vector);
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("reads only the beginning of a text", async () => {
    const long = "The harbour was full of ships. ".repeat(400);
    expect(await embed(`${long} Bread and butter.`)).toEqual(await embed(`${long} Nuclear physics.`));
  });

  // These vectors are stored by users: if they change, the embedder needs a new name.
  it("returns the vectors of its version", async () => {
    const some = async (text: string) => [...(await embed(text)).slice(0, 3)].map((value) => Number(value.toFixed(3)));
    expect(embedder.name).toBe("throughline-words-1");
    expect(await some("We moved to PostgreSQL in May.")).toEqual([-0.025, 0.137, 0.044]);
    expect(await some("zquorx 我住在柏林")).toEqual([0.129, 0.039, 0.037]);
  });

  it("stops when aborted", async () => {
    const texts = Array.from({ length: 100 }, () => "The harbour was full of ships. ".repeat(100));
    const controller = new AbortController();
    const running = embedder.embed(texts, "passage", controller.signal);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("lets other tasks run during a long job", async () => {
    const texts = Array.from({ length: 300 }, () => "The harbour was full of ships. ".repeat(100));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await embedder.embed(texts);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  it.each([
    ["is empty", new Uint8Array()],
    ["is something else", new TextEncoder().encode("<!doctype html><title>Not found</title>")],
    ["was cut", file.subarray(0, 1_000_000)],
    ["is of a later version", Uint8Array.from(file.subarray(0, 1_000), (byte, at) => (at === 4 ? 2 : byte))],
    ["lacks words", file.map((byte, at) => (at > file.length - 100 && byte === 10 ? 32 : byte))],
  ])("refuses a file that %s", (_, bytes) => {
    expect(() => wordEmbedder({ bytes })).toThrow(InvalidOptionError);
  });
});
