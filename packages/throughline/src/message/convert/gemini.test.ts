import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { convertModelToRich, convertRichToModel } from "./ai-sdk.ts";
import { convertGeminiToRich, convertRichToGemini, type GeminiContent, geminiIds } from "./gemini.ts";

const word = fc.constantFrom("one", "zwei", "三");
const more = fc.dictionary(fc.constantFrom("videoMetadata", "extra"), fc.jsonValue(), { maxKeys: 1 });
const signed = fc.option(
  word.map((thoughtSignature) => ({ thoughtSignature })),
  { nil: {} },
);
const file = fc.oneof(
  fc.record({ inlineData: fc.record({ mimeType: fc.constant("image/png"), data: fc.constant("aGk=") }) }),
  fc.record({ fileData: fc.record({ mimeType: fc.constant("video/mp4"), fileUri: fc.constant("files/1") }) }),
  fc.record({ fileData: fc.record({ fileUri: fc.constant("https://host/v"), displayName: word }) }),
);
const said = fc.oneof(
  fc.record({ text: word }),
  file,
  fc.record({ executableCode: fc.record({ language: fc.constant("PYTHON"), code: word }) }),
);
const part = fc.tuple(said, signed, more).map((pieces) => Object.assign({}, ...pieces) as object);
const thought = fc.record({ text: word, thought: fc.constant(true) });
const response = fc.oneof(
  fc.record({ output: word }),
  fc.record({ result: word }),
  fc.record({ error: word }),
  fc.dictionary(word, fc.jsonValue()),
);
const callStep = fc.record({
  calls: fc.array(fc.record({ name: word, args: fc.dictionary(word, fc.jsonValue()) }), { minLength: 1, maxLength: 3 }),
  ids: fc.option(fc.uuid()),
  before: fc.array(fc.oneof(part, thought), { maxLength: 2 }),
  responses: fc.infiniteStream(fc.tuple(response, fc.boolean())),
  beside: fc.array(part, { maxLength: 1 }),
});

/** A model turn with calls, and the turn with their responses. */
const step = callStep.map(({ calls, ids, before, responses, beside }) => {
  const named = calls.map((call, place) => ({ ...call, ...(ids !== null && { id: `${ids}-${place}` }) }));
  const answers = named.map(({ args: _, ...about }) => {
    const [given, hasFile] = responses.next().value ?? [{}, false];
    const files = hasFile && { parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }] };
    return { functionResponse: { ...about, response: given, ...files } };
  });
  return [
    { role: "model", parts: [...before, ...named.map((functionCall) => ({ functionCall, thoughtSignature: "s" }))] },
    { role: "user", parts: [...answers, ...beside] },
  ];
});
const talk = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 2 }), fc.array(step, { maxLength: 3 }))
  .map(
    ([parts, steps]) =>
      [{ role: "user", parts }, ...steps.flat()].map((content) =>
        structuredClone(content),
      ) as unknown as GeminiContent[],
  );

describe("Gemini contents", () => {
  it("survive a round trip unchanged", () => {
    fc.assert(
      fc.property(talk, (contents) => {
        expect(convertRichToGemini(convertGeminiToRich(contents), { ids: geminiIds(contents) })).toEqual(contents);
      }),
      { numRuns: cases(100) },
    );
  });

  it("keep calls, results and signatures on the way through the AI SDK's format", () => {
    const contents: GeminiContent[] = [
      { role: "user", parts: [{ text: "Look." }] },
      {
        role: "model",
        parts: [{ functionCall: { id: "x1", name: "read", args: { path: "a" } }, thoughtSignature: "s1" }],
      },
      { role: "user", parts: [{ functionResponse: { id: "x1", name: "read", response: { output: "hi" } } }] },
    ];
    const again = convertModelToRich(convertRichToModel(convertGeminiToRich(contents)));
    expect(convertRichToGemini(again, { ids: geminiIds(contents) })).toEqual(contents);
  });

  it.each([
    ["by name and order where there are no ids", [{}, {}, {}], [{}, {}, {}], ["call-0", "call-1", "call-2"]],
    [
      "by id, in whatever order",
      [{ id: "a" }, { id: "b" }, {}],
      [{ id: "b" }, { id: "a" }, {}],
      ["call-1", "call-0", "call-2"],
    ],
    [
      "to calls without ids, where only the response has one",
      [{}, { id: "b" }],
      [{ id: "new" }, { id: "b" }],
      ["call-0", "call-1"],
    ],
    ["to none, where there is no call", [{ id: "a" }], [{ id: "a" }, { id: "z" }], ["call-0", "response-0"]],
  ])("match responses %s", (_, calls, responses, expected) => {
    const messages = convertGeminiToRich([
      { role: "model", parts: calls.map((ids) => ({ functionCall: { name: "read", ...ids } })) },
      { role: "user", parts: responses.map((ids) => ({ functionResponse: { name: "read", response: {}, ...ids } })) },
    ]);
    expect(messages[1]?.parts.map((one) => one.type === "tool-result" && one.toolCallId)).toEqual(expected);
  });

  it("alternate: results are in one content directly after their calls", () => {
    const user = (text: string) => ({ role: "user", content: text }) as const;
    const call = (toolCallId: string) => ({ type: "tool-call", toolCallId, toolName: "read", input: {} }) as const;
    const result = (toolCallId: string) =>
      ({ type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value: "ok" } }) as const;
    const contents = convertRichToGemini(
      convertModelToRich([
        user("A"),
        user("B"),
        { role: "assistant", content: [{ type: "reasoning", text: "Hm" }, call("1"), call("2")] },
        { role: "tool", content: [result("1")] },
        { role: "tool", content: [result("2")] },
        user("C"),
      ]),
    );
    const functionCall = { name: "read", args: {} };
    const functionResponse = { name: "read", response: { output: "ok" } };
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "A" }, { text: "B" }] },
      { role: "model", parts: [{ functionCall }, { functionCall }] },
      { role: "user", parts: [{ functionResponse }, { functionResponse }, { text: "C" }] },
    ]);
  });

  it.each([
    [[{ role: "system", parts: [] }], 'unknown role "system"'],
    [[{ role: "user", parts: ["Hi"] }], "expected an object"],
    [[{ role: "model", parts: [{ function_call: { name: "read" } }] }], "use functionCall and functionResponse"],
    ["Hi", "expected an array of messages"],
  ])("that cannot be read are refused: %j", (contents, why) => {
    expect(() => convertGeminiToRich(contents as unknown as GeminiContent[])).toThrow(why);
  });
});
