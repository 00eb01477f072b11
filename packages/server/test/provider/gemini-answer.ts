import { piecesOf } from "./anthropic-answer.ts";
import { countGemini, refuseGemini, thoughtSignature } from "./gemini-rules.ts";
import { type Json, type Provider, refused, type WireAnswer } from "./provider.ts";

let answers = 0;

/** Answers `POST /v1beta/models/{model}:generateContent`, or `:streamGenerateContent` in events. */
export function answerGemini(text: string, provider: Provider, isStream: boolean): WireAnswer {
  const body = JSON.parse(text) as Json;
  const refusal = refuseGemini(body, provider);
  if (refusal !== undefined) return refused(refusal);
  const { text: said, calls = [] } = provider.answer(text, "gemini");
  const promptTokenCount = countGemini(body, provider);
  const usageMetadata = { promptTokenCount, candidatesTokenCount: 10, totalTokenCount: promptTokenCount + 10 };
  answers += 1;
  const chunk = (parts: readonly Json[], more: Json = {}) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
    modelVersion: "local",
    responseId: `gemini-${answers}`,
    usageMetadata,
  });
  const called = calls.map(({ id, name, input }, index) => ({
    functionCall: { id, name, args: input },
    ...(index === 0 && { thoughtSignature: thoughtSignature(id, name) }),
  }));
  if (!isStream) {
    const spoken = said === undefined ? [] : [{ text: said }];
    return { body: chunk([...spoken, ...called], { finishReason: "STOP" }) };
  }
  const spoken = said === undefined ? [] : piecesOf(said).map((piece) => chunk([{ text: piece }]));
  const chunks = [...spoken, ...called.map((part) => chunk([part])), chunk([{ text: "" }], { finishReason: "STOP" })];
  return { events: chunks.map((one) => ({ data: JSON.stringify(one) })) };
}
