import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { TapeError } from "../errors/model-errors.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import { type RecordableModel, recordingModel, recordingTextModel } from "./recording-model.ts";
import { replayingModel, replayingTextModel } from "./replaying-model.ts";
import { createTape, type Tape, type TapeOptions } from "./tape.ts";

const KEY = "sk-proj-abcdefghij0123456789KLMN";

interface Answers {
  generate?: (asked: unknown) => unknown;
  parts?: readonly unknown[];
  error?: unknown;
}

/** A model with fixed answers. */
function modelOf({ generate = () => ({}), parts = [], ...end }: Answers): RecordableModel {
  return {
    specificationVersion: "v4",
    provider: "p",
    modelId: "m",
    supportedUrls: {},
    doGenerate: async (asked) => generate(asked),
    doStream: async () => {
      let at = 0;
      const stream = new ReadableStream({
        pull(controller) {
          if (at < parts.length) controller.enqueue(parts[at]);
          else if ("error" in end) controller.error(end.error);
          else controller.close();
          at += 1;
        },
      });
      return { stream };
    },
  };
}

const through = (tape: Tape): unknown => JSON.parse(JSON.stringify(tape));
const user = (text: string) => ({ prompt: [{ role: "user", content: [{ type: "text", text }] }] });

async function readParts(model: Pick<RecordableModel, "doStream">, asked: unknown = user("hi")) {
  const { stream } = await model.doStream(asked as never);
  const parts: unknown[] = [];
  try {
    for await (const part of stream as ReadableStream<unknown>) parts.push(part);
    return { parts };
  } catch (error) {
    return { parts, error };
  }
}

async function recordGenerate(answers: Answers, asked: unknown, options?: TapeOptions): Promise<Tape> {
  const tape = createTape();
  await recordingModel(modelOf(answers), tape, options).doGenerate(asked as never);
  return tape;
}

async function failure(work: () => unknown): Promise<TapeError> {
  const error = await Promise.resolve()
    .then(work)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TapeError);
  return error as TapeError;
}

/** Values that a part may hold: JSON and other values of providers. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt(),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array({ maxLength: 40 }),
    fc.webUrl().map((url) => new URL(url)),
    fc.constantFrom(/^a.b$/gi, /\//u),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("$date", "$$ref", "$", "__proto__", "toString")),
      tie("value"),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;
const part = fc.tuple(fc.constantFrom("text-delta", "tool-call", "finish", "raw"), value).map(([type, held]) => ({
  type,
  held,
}));

describe("a tape", () => {
  it("keeps any stream parts in order and in their chunks", async () => {
    const delta = fc.record({ type: fc.constant("text-delta"), id: fc.constantFrom("0", "1"), delta: fc.string() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, delta), { maxLength: 12 }), async (parts) => {
        const tape = createTape();
        expect(await readParts(recordingModel(modelOf({ parts }), tape))).toEqual({ parts });
        expect(await readParts(replayingModel(through(tape)))).toEqual({ parts });
      }),
      { numRuns: cases(100) },
    );
  });

  it("keeps any answer, and finds any request again", async () => {
    await fc.assert(
      fc.asyncProperty(value, value, async (asked, answer) => {
        const request = { ...user("hi"), providerOptions: { p: { asked } } };
        const tape = await recordGenerate({ generate: () => ({ answer }) }, request);
        expect(await replayingModel(through(tape)).doGenerate(request)).toEqual({ answer });
      }),
      { numRuns: cases(100) },
    );
  });

  it("keeps the position and the error of a broken stream", async () => {
    const tape = createTape();
    const error = Object.assign(new Error("cut off"), { name: "NetworkError", statusCode: 502 });
    const recorded = await readParts(recordingModel(modelOf({ parts: [{ type: "raw" }], error }), tape));
    expect(recorded).toEqual({ parts: [{ type: "raw" }], error });
    const replayed = await readParts(replayingModel(through(tape)));
    expect(replayed.parts).toEqual([{ type: "raw" }]);
    expect(replayed.error).toMatchObject({ name: "NetworkError", message: "cut off", statusCode: 502 });
  });

  it("returns the answers to a repeated request in order, independent of other requests", async () => {
    const tape = createTape();
    let count = 0;
    const generate = () => {
      count += 1;
      return { count };
    };
    const model = recordingModel(modelOf({ generate }), tape);
    for (const text of ["a", "b", "a"]) await model.doGenerate(user(text) as never);
    const replaying = replayingModel(through(tape));
    const counts: unknown[] = [];
    for (const text of ["b", "a", "a"]) counts.push(await replaying.doGenerate(user(text)));
    expect(counts).toEqual([{ count: 2 }, { count: 1 }, { count: 3 }]);
    const error = await failure(() => replaying.doGenerate(user("a")));
    expect(error.summary).toBe("The tape has 2 answers for this request, but it was sent again.");
  });

  it("does not record aborted calls, and stops when aborted", async () => {
    const tape = createTape();
    const aborted = { ...user("hi"), abortSignal: AbortSignal.abort("enough") };
    const refusing = modelOf({ generate: () => Promise.reject("enough") });
    await expect(recordingModel(refusing, tape).doGenerate(aborted as never)).rejects.toBe("enough");
    expect(tape.calls).toEqual([]);
    await readParts(recordingModel(modelOf({ parts: [1, 2, 3] }), tape));
    const controller = new AbortController();
    const replaying = replayingModel(through(tape));
    const asked = { ...user("hi"), abortSignal: controller.signal };
    const { stream } = (await replaying.doStream(asked)) as { stream: ReadableStream };
    const reader = stream.getReader();
    expect(await reader.read()).toMatchObject({ value: 1 });
    controller.abort("enough");
    await expect(reader.read()).rejects.toBe("enough");
    await expect(replaying.doStream(aborted)).rejects.toBe("enough");
  });

  it("records a partly read stream up to there, and forwards the cancel", async () => {
    const tape = createTape();
    let wasCanceled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue("more"),
      cancel: () => {
        wasCanceled = true;
      },
    });
    const model: RecordableModel = { ...modelOf({}), doStream: async () => ({ stream }) };
    const { stream: watched } = await recordingModel(model, tape).doStream(user("hi") as never);
    const reader = (watched as ReadableStream).getReader();
    await reader.read();
    await reader.cancel();
    expect(wasCanceled).toBe(true);
    expect(await readParts(replayingModel(through(tape)))).toEqual({ parts: ["more"] });
  });
});

describe("a request that was not recorded", () => {
  it("is reported with the most similar call and the first difference", async () => {
    const tape = createTape();
    const model = recordingModel(modelOf({}), tape);
    await model.doGenerate({ ...user("Nothing like it."), seed: 7 } as never);
    await model.doGenerate({ ...user("Rename every value in the folder src to amount."), seed: 1 } as never);
    const asked = { ...user("Rename every value in the folder lib to amount."), seed: 1 };
    const { summary, problem } = await failure(() => replayingModel(through(tape)).doGenerate(asked));
    expect(problem).toBe("not-recorded");
    expect(summary).toBe(
      "The tape has no answer for this request. The most similar call is 2, where prompt[0].content[0].text was " +
        '"…value in the folder src to amount.", and is "…value in the folder lib to amount.".',
    );
  });

  it("is distinguished by missing values and by the kind of call", async () => {
    const tape = await recordGenerate({}, { ...user("hi"), temperature: 0.5 });
    const replaying = replayingModel(through(tape));
    const without = await failure(() => replaying.doGenerate(user("hi")));
    expect(without.summary).toMatch(/is 1, where temperature was "0.5", and is nothing\.$/);
    const streamed = await failure(() => replaying.doStream({ ...user("hi"), temperature: 0.5 }));
    expect(streamed.summary).toMatch(/is 1, where call was "generate", and is "stream"\.$/);
    const longer = { prompt: [...user("hi").prompt, ...user("more").prompt], temperature: 1 };
    const more = await failure(() => replaying.doGenerate(longer));
    expect(more.summary).toMatch(/where prompt\[1\] was nothing, and is .* One more value differs\.$/);
  });
});

describe("secrets", () => {
  it("are redacted everywhere: requests, answers, errors and chunks", async () => {
    const tape = createTape();
    const own = "my-very-own-word";
    const answers = { generate: () => ({ content: [{ type: "text", text: `The key is ${KEY}, ${own}.` }] }) };
    const asked = {
      ...user(`Use ${KEY} and ${own}.`),
      headers: { authorization: `Bearer ${KEY}`, "x-api-key": own },
      providerOptions: { p: { apiKey: "short", nested: [{ accessToken: "short" }], user: "ada" } },
    };
    const options = { secrets: [own] };
    await recordingModel(modelOf(answers), tape, options).doGenerate(asked as never);
    const pieces = [...`Here: ${KEY}. And ${own}.`].map((delta) => ({ type: "text-delta", id: "0", delta }));
    await readParts(recordingModel(modelOf({ parts: pieces }), tape, options), asked);
    const error = Object.assign(new Error(`bad key ${KEY}`), { responseBody: own, requestBodyValues: own });
    const failing = modelOf({ generate: () => Promise.reject(error) });
    await expect(recordingModel(failing, tape, options).doGenerate(asked as never)).rejects.toBe(error);

    const written = JSON.stringify(tape);
    const joined = tape.calls
      .flatMap(({ parts = [] }) => parts.map((one) => (one as { delta: string }).delta))
      .join("");
    for (const secret of [KEY, own, "short"]) expect(written + joined).not.toContain(secret);
    expect(written).toContain("ada");
    expect(joined).toMatch(/^Here: \*+\. And \*+\.$/);
    expect(tape.calls[1]?.parts).toHaveLength(pieces.length);
    const { content } = (await replayingModel(through(tape), options).doGenerate(asked)) as { content: unknown };
    expect(content).toMatchObject([{ text: `The key is ${"*".repeat(KEY.length)}, ${"*".repeat(own.length)}.` }]);
  });
});

describe("an invalid tape", () => {
  it("is refused with the reason", async () => {
    const tape = await recordGenerate({}, user("hi"));
    const [call] = tape.calls;
    const cases: [unknown, RegExp][] = [
      [null, /Invalid tape: the format/],
      [{ messages: [] }, /Invalid tape: the format/],
      [{ ...tape, version: 2 }, /version 2: expected 1/],
      [createTape(), /no call was recorded/],
      [{ ...tape, calls: undefined }, /`calls` is missing/],
      [{ ...tape, model: {} }, /the model is missing/],
      [{ ...tape, calls: [7] }, /cannot read call 1/],
      [{ ...tape, calls: [{ ...call, call: "stream" }] }, /without parts/],
      [{ ...tape, calls: [{ ...call, request: { seed: 1 } }] }, /call 1/],
      [{ ...tape, messages: [] }, /call 1 was changed/],
    ];
    for (const [json, says] of cases) {
      const error = await failure(() => replayingModel(json));
      expect(error.problem).toBe("not-a-tape");
      expect(error.message).toMatch(says);
    }
  });

  it("belongs to another model", async () => {
    const tape = await recordGenerate({}, user("hi"));
    const other = { ...modelOf({}), modelId: "n" };
    const error = await failure(() => recordingModel(other, tape).doGenerate(user("hi") as never));
    expect(error).toMatchObject({ problem: "other-model", summary: "Cannot record n: the tape belongs to m." });
    expect((await failure(() => replayingTextModel(tape))).problem).toBe("other-model");
  });
});

describe("a Throughline model", () => {
  const request: ModelRequest = { system: "s", prompt: "p", maxOutputTokens: 9, temperature: 0.3 };

  it("is recorded and replayed in the same way", async () => {
    const tape = createTape();
    const model: Model = { modelId: "m", contextLimit: 100, generate: async ({ prompt }) => ({ text: `${prompt}!` }) };
    const recording = recordingTextModel(model, tape);
    expect(await recording.generate({ ...request, signal: new AbortController().signal })).toEqual({ text: "p!" });
    const replaying = replayingTextModel(through(tape));
    expect(replaying).toMatchObject({ modelId: "m", contextLimit: 100 });
    expect(await replaying.generate(request)).toEqual({ text: "p!" });
    const error = await failure(() => replaying.generate({ ...request, system: "t" }));
    expect(error.summary).toMatch(/is 1, where system was "s", and is "t"\.$/);
    expect((await failure(() => replayingModel(through(tape)))).problem).toBe("other-model");
  });
});
