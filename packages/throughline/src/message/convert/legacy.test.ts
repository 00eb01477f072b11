import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { InvalidMessageError } from "../../errors/input-errors.ts";
import { PROVIDERS } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import { repairWindow } from "../repair/repair-window.ts";
import { validateWindow } from "../validate-window.ts";
import { sdkMessage } from "./ai-sdk.arbitrary.ts";
import { convertModelToRich } from "./ai-sdk.ts";
import { legacyToRichMessage } from "./legacy.ts";
import { uiMessages } from "./ui-message.arbitrary.ts";
import { convertUiToRich } from "./ui-message.ts";

const read = (content: string, role = "user") => legacyToRichMessage({ id: "r1", sessionId: "s", role, content });
const readJson = (value: unknown, role = "user") => read(JSON.stringify(value), role);
const partsOf = ({ parts }: Message) => parts.map(({ id: _, ...part }) => part);
const text = (value: string) => ({ type: "text", text: value });

describe("legacyToRichMessage", () => {
  it("keeps the row's id, session, role and time, and derives part ids", () => {
    const content = JSON.stringify([text("a"), text("b")]);
    expect(legacyToRichMessage({ id: "r1", sessionId: "s", role: "assistant", content, createdAt: 7 })).toEqual({
      id: "r1",
      sessionId: "s",
      role: "assistant",
      createdAt: 7,
      provenance: { format: "ai-sdk" },
      parts: [
        { id: "r1.0", ...text("a") },
        { id: "r1.1", ...text("b") },
      ],
    });
    expect(read("hello").createdAt).toBe(0);
  });

  it("reads a JSON string, an object with text, and a part", () => {
    expect(partsOf(readJson("hello"))).toEqual([text("hello")]);
    expect(partsOf(readJson({ text: "hello" }))).toEqual([text("hello")]);
    expect(partsOf(readJson({ text: "hello", lang: "en" }))).toEqual([
      { ...text("hello"), foreign: { format: "ai-sdk", fields: { lang: "en" } } },
    ]);
    expect(partsOf(readJson({ type: "reasoning", text: "hm" }, "assistant"))).toEqual([
      { type: "reasoning", text: "hm" },
    ]);
  });

  it.each([
    "hello",
    "",
    "42",
    "null",
    "[1,2]",
    '{"parts":["door"]}',
    '["a","b"]',
    '{"a":1}',
    '{"type":"mystery"}',
    '{"content":null}',
    "{",
  ])("treats other JSON as text: %s", (content) => {
    expect(partsOf(read(content))).toEqual([text(content)]);
  });

  it("reads calls and results under the names of every version", () => {
    const names = { toolCallId: "c", toolName: "read" };
    const call = { type: "tool-call", ...names, input: { path: "/a" } };
    const result = { type: "tool-result", ...names, output: { type: "json", value: { ok: true } } };
    expect(partsOf(readJson([{ type: "tool-call", ...names, args: { path: "/a" } }], "assistant"))).toEqual([call]);
    expect(partsOf(readJson([call], "assistant"))).toEqual([call]);
    expect(partsOf(readJson([{ type: "tool-result", ...names, result: { ok: true } }], "tool"))).toEqual([result]);
    expect(partsOf(readJson([result], "tool"))).toEqual([result]);
    const invocation = { state: "result", ...names, args: { path: "/a" }, result: { ok: true } };
    const ui = { role: "assistant", parts: [{ type: "tool-invocation", toolInvocation: invocation }] };
    expect(partsOf(readJson(ui, "assistant"))).toEqual([call, result]);
  });

  it("reads files and images under the names of every version", () => {
    const image = { type: "image", image: "iVBORw0KGgo", mimeType: "image/png" };
    const file = { type: "file", data: "AAAA", mimeType: "application/pdf", filename: "a.pdf" };
    expect(partsOf(readJson([image, file]))).toMatchObject([
      { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo" } },
      { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: { type: "data", data: "AAAA" } },
    ]);
  });

  it("reads a whole message and keeps its other fields, with the row's role", () => {
    expect(readJson({ role: "user", content: "hi", mood: "good" })).toMatchObject({
      role: "user",
      parts: [text("hi")],
      foreign: { fields: { mood: "good" } },
    });
    expect(readJson({ role: "assistant", content: [text("hi")] })).toMatchObject({
      role: "user",
      parts: [text("hi")],
      foreign: { fields: { role: "assistant" } },
    });
  });

  it("keeps a reply and its results in one message, which repairWindow makes legal", () => {
    const tool = { type: "tool-read", toolCallId: "c", state: "output-available", input: {}, output: "x" };
    const message = readJson({ role: "assistant", parts: [{ type: "step-start" }, tool, text("done")] }, "assistant");
    expect(message.parts.map(({ type }) => type)).toEqual(["step-start", "tool-call", "tool-result", "text"]);
    const { messages } = repairWindow([read("go"), message]);
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
  });

  it("keeps unknown parts beside known ones", () => {
    const strange = { type: "hologram", data: "x" };
    expect(partsOf(readJson([text("a"), strange, 5, "b"]))).toEqual([
      text("a"),
      { type: "opaque", format: "ai-sdk", value: strange },
      { type: "opaque", format: "ai-sdk", value: 5 },
      text("b"),
    ]);
    const steering = { type: "steering-message", parts: "none" };
    expect(partsOf(readJson({ parts: [steering, 5] }, "assistant"))).toEqual([
      { type: "opaque", format: "ai-sdk-ui", value: steering },
      { type: "opaque", format: "ai-sdk-ui", value: 5 },
    ]);
  });

  it("does not attribute user text to the assistant", () => {
    const steering = { type: "steering-message", parts: [text("stop that")] };
    expect(partsOf(readJson({ role: "assistant", parts: [text("well"), steering] }, "assistant"))).toEqual([
      text("well"),
      { ...text("stop that"), synthetic: true },
    ]);
  });

  it("refuses an unknown role", () => {
    expect(() => read("a", "robot")).toThrow(InvalidMessageError);
    expect(() => read("a", "robot")).toThrow(/unknown role "robot"/);
  });
});

describe("legacyToRichMessage on any row", () => {
  const role = fc.constantFrom("system", "user", "assistant", "tool");

  it("reads AI SDK messages like their converter, by content and as a whole", () => {
    fc.assert(
      fc.property(fc.oneof(sdkMessage(6), sdkMessage(7)), (raw) => {
        const stored = JSON.parse(JSON.stringify(raw));
        const [message] = convertModelToRich([stored], "s", { messageId: () => "r1" });
        expect(readJson(stored, stored.role)).toEqual(message);
        // A list without known parts becomes text, so that the model can read it.
        const known = message?.parts.some(({ type }) => type !== "opaque") !== false || stored.content.length === 0;
        if (known) expect(readJson(stored.content, stored.role).parts).toEqual(message?.parts);
      }),
    );
  });

  it("reads UI messages like their converter, with all steps in one message", () => {
    fc.assert(
      fc.property(uiMessages(7), (list) => {
        for (const raw of JSON.parse(JSON.stringify(list))) {
          const drafts = convertUiToRich([raw], "s").flatMap((message) => partsOf(message));
          const parts = partsOf(readJson(raw, raw.role));
          const sorted = (all: readonly object[]) =>
            all
              .filter((part) => !("type" in part && (part.type === "step-start" || part.type === "text")))
              .map((part) => JSON.stringify(part))
              .sort();
          expect(sorted(parts)).toEqual(sorted(drafts));
        }
      }),
    );
  });

  it("never throws, is deterministic, and loses no text", () => {
    const key = fc.constantFrom("text", "type", "content", "parts", "role", "toolInvocation", "args", "other");
    const { value } = fc.letrec((tie) => ({
      leaf: fc.oneof(
        fc.string({ unit: "grapheme-ascii" }),
        fc.constantFrom("text", "tool-call", "file", "image", "tool-invocation", "user"),
        fc.integer(),
        fc.constant(null),
      ),
      value: fc.oneof(
        { depthSize: "small" },
        tie("leaf"),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 5 }),
      ),
    }));
    const content = fc.oneof(
      fc.string(),
      fc.json(),
      value.map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(content, role, (one, side) => {
        const message = read(one, side);
        expect(read(one, side)).toEqual(message);
        const [part] = message.parts;
        if (part?.type === "text" && part.text === one) return;
        const said = JSON.stringify(message);
        for (const word of wordsIn(one)) expect(said).toContain(JSON.stringify(word).slice(1, -1));
      }),
      { numRuns: cases(500) },
    );
  });

  it("returns for endlessly nested content", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"content":', "}"],
      ['{"parts":[', "]}"],
    ] as const) {
      const message = read(`${open.repeat(20_000)}1${close.repeat(20_000)}`, "assistant");
      expect(message.parts.length).toBeGreaterThan(0);
    }
  });
});

/** Texts in the content, except for type names and texts that were read. */
function wordsIn(content: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return [content];
  }
  const words: string[] = [];
  const visit = (one: unknown, name = ""): void => {
    if (typeof one === "string" && !["type", "role", "state"].includes(name)) words.push(one);
    if (typeof one === "object" && one !== null) for (const [key, inner] of Object.entries(one)) visit(inner, key);
  };
  visit(value);
  return words;
}
