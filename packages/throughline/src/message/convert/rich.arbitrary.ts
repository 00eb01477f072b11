import fc from "fast-check";
import { completeMessage, type Message, type Role } from "../message.ts";
import type { PartDraft } from "../part.ts";
import { base64, text } from "./raw.arbitrary.ts";

/** Kinds of parts that a target format can express. */
interface Expressible {
  readonly reasoning?: fc.Arbitrary<PartDraft>;
  readonly files: fc.Arbitrary<PartDraft>;
  readonly input: fc.Arbitrary<unknown>;
  readonly output: fc.Arbitrary<Extract<PartDraft, { type: "tool-result" }>["output"]>;
  /** Additional parts of assistant messages. */
  readonly said?: fc.Arbitrary<PartDraft>;
  /** The target format puts calls after all other content. */
  readonly callsLast?: boolean;
  /** The target format has one message per result. */
  readonly resultsApart?: boolean;
}

export const textDraft: fc.Arbitrary<PartDraft> = text.map((value) => ({ type: "text", text: value }));
export const pngFile: fc.Arbitrary<PartDraft> = base64.map((data) => ({
  type: "file",
  mediaType: "image/png",
  data: { type: "data", data },
}));
export const imageUrl: fc.Arbitrary<PartDraft> = fc.constant({
  type: "file",
  mediaType: "image",
  data: { type: "url", url: "https://example.com/a.png" },
});
export const textOutput = text.map((value) => ({ type: "text" as const, value }));

/** Sessions that the target format can express in full: a system prompt, then turns of user, assistant and tools. */
export function expressibleSession(kinds: Expressible): fc.Arbitrary<Message[]> {
  const turn = fc.record({
    asked: fc.array(fc.oneof(textDraft, kinds.files), { minLength: 1, maxLength: 3 }),
    reasoned: kinds.reasoning ?? fc.constant(undefined),
    said: fc.array(kinds.said ?? textDraft, { maxLength: 2 }),
    calls: fc.array(fc.record({ input: kinds.input, output: kinds.output }), { maxLength: 3 }),
    callsFirst: fc.boolean(),
  });
  return fc.tuple(fc.option(text), fc.array(turn, { maxLength: 4 })).map(([system, turns]) => {
    const drafts: { role: Role; parts: PartDraft[] }[] = [];
    if (system !== null) drafts.push({ role: "system", parts: [{ type: "text", text: system }] });
    turns.forEach(({ asked, reasoned, said, calls, callsFirst }, t) => {
      const called = calls.map(({ input }, c): PartDraft => {
        return { type: "tool-call", toolCallId: `call_${t}_${c}`, toolName: `tool_${c}`, input };
      });
      const results = calls.map(({ output }, c): PartDraft => {
        return { type: "tool-result", toolCallId: `call_${t}_${c}`, toolName: `tool_${c}`, output };
      });
      const words: PartDraft[] = said.length + called.length === 0 ? [{ type: "text", text: "done" }] : said;
      const spoken = callsFirst && kinds.callsLast !== true ? [...called, ...words] : [...words, ...called];
      drafts.push({ role: "user", parts: asked });
      drafts.push({ role: "assistant", parts: reasoned === undefined ? spoken : [reasoned, ...spoken] });
      if (kinds.resultsApart) for (const part of results) drafts.push({ role: "tool", parts: [part] });
      else if (results.length > 0) drafts.push({ role: "tool", parts: results });
    });
    return drafts.map((draft, index) => completeMessage(draft, index));
  });
}

/** Messages without their provenance. */
export function meaningOf(messages: readonly Message[]): unknown[] {
  return messages.map(({ id: _, sessionId: __, foreign: ___, provenance: ____, ...message }) => ({
    ...message,
    parts: message.parts.map(({ id: _, foreign: __, ...part }) => part),
  }));
}

/** Messages after a JSON round trip. */
export function stored(messages: readonly Message[]): Message[] {
  return JSON.parse(JSON.stringify(messages));
}
