import { describe, expect, it } from "vitest";
import { UnknownFormatError, UnreadableTranscriptError } from "../errors/input-errors.ts";
import { ThroughlineError } from "../errors/throughline-error.ts";
import { toolOutputText } from "../message/tool-output.ts";
import { detectFormat } from "./detect-format.ts";
import { parseTranscript } from "./parse-transcript.ts";
import { SAMPLE_CONTENT, TRANSCRIPT_SAMPLES } from "./samples.fixture.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

const formatOf = (text: string) => detectFormat(text)?.format;
const isDocument = (text: string) => detectFormat(text)?.layout === "document";

describe("a transcript of each format", () => {
  it.each(TRANSCRIPT_SAMPLES)("is detected as itself: $name", ({ format, text }) => {
    expect(formatOf(text)).toBe(format);
    expect(formatOf(`\uFEFF${text}`)).toBe(format);
    expect(formatOf(text.replaceAll("\n", "\r\n"))).toBe(format);
  });

  it.each(TRANSCRIPT_SAMPLES)("is read completely: $name", ({ text }) => {
    const { sessions, skipped } = parseTranscript(text);
    const messages = sessions.flatMap((session) => session.messages);
    const parts = messages.flatMap(({ role, parts: all }) => all.map((part) => ({ role, part })));
    const said = parts.flatMap(({ role, part }) =>
      part.type === "text" && part.synthetic !== true ? [`${role}: ${part.text}`] : [],
    );
    const calls = parts.flatMap(({ part }) => (part.type === "tool-call" ? [part.toolCallId] : []));
    const results = parts.flatMap(({ part }) => (part.type === "tool-result" ? [part] : []));
    expect(skipped).toEqual([]);
    expect(said.filter((one) => one.startsWith("user: "))).toEqual([`user: ${SAMPLE_CONTENT.asked}`]);
    expect(said).toContain(`assistant: ${SAMPLE_CONTENT.answered}`);
    expect(calls).toHaveLength(1);
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls);
    expect(results.map(({ output }) => toolOutputText(output)).join()).toContain(SAMPLE_CONTENT.output);
  });

  it.each(TRANSCRIPT_SAMPLES)("is never detected as another format when truncated: $name", ({ format, text }) => {
    for (let length = 1; length < text.length; length += 23) {
      // Plain messages at the start of a list look the same in all formats.
      const allowed = isList(format) ? [format, "openai", undefined] : [format, undefined];
      expect(allowed).toContain(formatRead(text.slice(0, length)));
    }
    for (const share of [0.6, 0.8, 0.95]) expect(formatRead(text.slice(0, text.length * share))).toBe(format);
  });

  it.each(TRANSCRIPT_SAMPLES)(
    "is never detected as another format without its first lines: $name",
    ({ format, text }) => {
      const all = text.split("\n");
      for (let first = 1; first < all.length - 1; first += 1) {
        const rest = all.slice(first).join("\n");
        if (isDocument(text)) expect([format, undefined]).toContain(formatRead(rest));
        else expect(formatOf(rest)).toBe(format);
      }
    },
  );

  it.each(TRANSCRIPT_SAMPLES)("is read from its second half: $name", ({ format, text }) => {
    if (isDocument(text)) return;
    const half = text.slice(text.length / 2);
    const { sessions, skipped } = parseTranscript(half);
    expect(formatOf(half)).toBe(format);
    expect(sessions.flatMap(({ messages }) => messages).length).toBeGreaterThan(0);
    expect(skipped).toMatchObject([{ line: 1, kind: "broken" }]);
  });

  it("covers all formats with samples", () => {
    expect([...new Set(TRANSCRIPT_SAMPLES.map(({ format }) => format))].sort()).toEqual([...TRANSCRIPT_FORMATS].sort());
  });

  it.each(TRANSCRIPT_SAMPLES)("has its folder, if recorded: $name", ({ format, text }) => {
    const [session] = parseTranscript(text).sessions;
    const saysNone = isList(format) || text.includes('"sessionId": "f833f8a0"');
    expect(session?.meta.cwd).toBe(saysNone ? undefined : SAMPLE_CONTENT.folder);
  });
});

/** Detected format; `undefined` if the text is refused. */
function formatRead(text: string): TranscriptFormat | undefined {
  try {
    return parseTranscript(text).format;
  } catch (error) {
    expect(ThroughlineError.isInstance(error)).toBe(true);
    return undefined;
  }
}

function isList(format: string): boolean {
  return ["openai", "anthropic", "ai-sdk"].includes(format);
}

const json = (value: unknown) => JSON.stringify(value);
const lines = (...records: unknown[]) => records.map(json).join("\n");

describe("a file that is not a transcript", () => {
  it.each([
    ["package.json", json({ name: "shop", version: "1.0.0", scripts: { test: "vitest" }, dependencies: {} })],
    ["a pretty package.json", JSON.stringify({ name: "shop", files: ["dist"], keywords: ["a"] }, null, 2)],
    ["a table", "id,role,content\n1,user,hello\n2,assistant,hi\n"],
    ["a log", '2026-05-04 09:00:00 INFO started\n2026-05-04 09:00:01 WARN {"role":"user"}\n'],
    ["lines of a log", lines({ level: "info", time: 1, msg: "started" }, { level: "warn", time: 2, msg: "slow" })],
    ["records of calls", lines({ type: "api_call", url: "/a", status: 200 }, { type: "api_output", body: "ok" })],
    ["chat of a team", json([{ type: "message", user: "U1", text: "hi", ts: "1" }])],
    ["events of analytics", lines({ event: "click", user: { id: 1 }, timestamp: "2026-05-04T09:00:00Z" })],
    ["a map", json({ type: "FeatureCollection", features: [{ type: "Feature", properties: {} }] })],
    ["a source file", 'export const first = { role: "user", content: "hi" };\n'],
    ["documentation", '# Messages\n\nA message is `{"role": "user", "content": "hi"}`.\n'],
    ["a list of numbers", "[1, 2, 3]"],
    ["a JSON text", '"hello"'],
    ["nothing but braces", "{}"],
  ])("is refused: %s", (_, text) => {
    expect(() => parseTranscript(text)).toThrow(UnknownFormatError);
    expect(() => parseTranscript(text)).toThrow(/^Unknown transcript format: .+\. Supported: claude-code, codex, .+\./);
  });

  it("is described if it is not JSON", () => {
    expect(() => parseTranscript("Dear diary")).toThrow("Unknown transcript format: it is not JSON. Supported:");
    expect(() => parseTranscript("\u007fELF\u0002\u0001\u0000\u0000")).toThrow("it is binary data");
    expect(() => parseTranscript("SQLite format 3\u0000\u0010\u0000")).toThrow("it is an SQLite database");
    expect(() => parseTranscript('{"name":"x"}')).toThrow("its JSON has no messages");
  });

  it("is refused as empty if it is empty", () => {
    expect(() => parseTranscript("")).toThrow(UnreadableTranscriptError);
    expect(() => parseTranscript(" \n")).toThrow("The transcript is empty.");
  });

  it.each([
    ["a ChatGPT export", json([{ title: "Hi", mapping: { a: { message: null } }, current_node: "a" }])],
    ["a Claude.ai export", json([{ uuid: "u", name: "Hi", chat_messages: [{ sender: "human", text: "hi" }] }])],
    ["a VS Code chat export", json({ responderUsername: "GitHub Copilot", requests: [{ message: { text: "hi" } }] })],
    ["Cline's ui_messages.json", json([{ ts: 1, type: "say", say: "text", text: "hi" }])],
    ["the prompt history of Claude Code", lines({ display: "hi", pastedContents: {}, timestamp: 1, project: "/a" })],
    ["the prompt history of Codex", lines({ session_id: "s", ts: 1, text: "hi" })],
    [
      "the prompt log of Gemini CLI",
      json([{ sessionId: "s", messageId: 0, type: "user", message: "hi", timestamp: "t" }]),
    ],
    ["a request to Gemini", json({ contents: [{ role: "user", parts: [{ text: "hi" }] }] })],
    [
      "a request to Gemini",
      json([
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ text: "hello" }] },
      ]),
    ],
    ["a ShareGPT conversation", json([{ id: "1", conversations: [{ from: "human", value: "hi" }] }])],
  ])("is refused by name: %s", (name, text) => {
    expect(() => parseTranscript(text)).toThrow(
      `Unsupported transcript format: this looks like ${name}. Supported: claude-code`,
    );
    expect(() => parseTranscript(text)).toThrow(expect.objectContaining({ looksLike: name, hint: expect.any(String) }));
  });
});
