import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { UnknownFormatError, UnreadableTranscriptError } from "../errors/input-errors.ts";
import { ThroughlineError } from "../errors/throughline-error.ts";
import { parseTranscript, parseTranscriptStream } from "./parse-transcript.ts";
import { TRANSCRIPT_FORMATS, type TranscriptEvent, type TranscriptFormat } from "./transcript.ts";

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");

const chat = JSON.stringify([
  { role: "user", content: "Grüße, 世界 😀" },
  { role: "assistant", content: "hello" },
]);
const claude = lines(
  { type: "user", uuid: "u1", parentUuid: null, sessionId: "s1", message: { role: "user", content: "Grüße, 世界 😀" } },
  {
    type: "assistant",
    uuid: "a1",
    parentUuid: "u1",
    sessionId: "s1",
    message: { id: "m", content: [{ type: "text", text: "hi" }] },
  },
);

async function collect(chunks: Iterable<string | Uint8Array>, format?: TranscriptFormat): Promise<TranscriptEvent[]> {
  const events: TranscriptEvent[] = [];
  for await (const event of parseTranscriptStream(chunks, format)) events.push(event);
  return events;
}

describe("parseTranscript", () => {
  it("reports an empty text and an unknown format", () => {
    expect(() => parseTranscript("")).toThrow(UnreadableTranscriptError);
    expect(() => parseTranscript(" \n\n")).toThrow("The transcript is empty.");
    expect(() => parseTranscript("Dear diary")).toThrow(UnknownFormatError);
    expect(() => parseTranscript("{}")).toThrow(UnknownFormatError);
    expect(() => parseTranscript("[]")).toThrow(UnknownFormatError);
    expect(() => parseTranscript(lines({ session: "s", line: 3, ts: "…" }))).toThrow(UnknownFormatError);
    expect(() => parseTranscript(chat, "telegram" as TranscriptFormat)).toThrow(
      'Unknown transcript format "telegram".',
    );
  });

  it("reports the first unreadable record if it could read none", () => {
    expect(() => parseTranscript("oh no\nreally", "claude-code")).toThrow(
      /Could not read any record of the transcript: record 1: not JSON, or cut off/,
    );
  });

  it.each(TRANSCRIPT_FORMATS)("does not read a foreign record as an empty session of %s", (format) => {
    for (const text of ['{"name":"x"}', '{\n  "name": "x"\n}', "[1,2,3]", '[{"name":"x"}]']) {
      expect(() => parseTranscript(text, format)).toThrow(UnreadableTranscriptError);
    }
  });

  it("continues after broken, blank or truncated lines", () => {
    const [first, second] = claude.split("\n");
    const { sessions, skipped } = parseTranscript(["\uFEFF", first, "", "{oops", second, '{"type":"us'].join("\n"));
    expect(sessions[0]?.messages).toHaveLength(2);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [4, "broken"],
      [6, "broken"],
    ]);
  });

  it("reads files with Windows line ends, a byte-order mark and no final line end", () => {
    const text = `\uFEFF${claude.replaceAll("\n", "\r\n")}\r\n`;
    expect(parseTranscript(text)).toEqual(parseTranscript(claude));
    expect(parseTranscript(`\uFEFF${chat}`)).toEqual(parseTranscript(chat));
  });

  it("does not split a line at separators that JSON allows inside strings", () => {
    const odd = claude.replace("世界", "\u2028\u2029\u0085");
    expect(parseTranscript(odd).skipped).toEqual([]);
  });

  it("gives every message of a session a unique id", () => {
    const twice = lines(
      ...[0, 1].map(() => ({
        type: "user",
        uuid: undefined,
        parentUuid: null,
        sessionId: "s1",
        message: { role: "user", content: "hi" },
      })),
    );
    const ids = parseTranscript(twice, "claude-code").sessions[0]?.messages.map((message) => message.id);
    expect(new Set(ids).size).toBe(2);
  });

  it("returns or throws its own error for any text in any format", () => {
    const anyFormat = fc.option(fc.constantFrom(...TRANSCRIPT_FORMATS), { nil: undefined });
    const anyText = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.json()).map((all) => all.join("\n")),
      fc.array(fc.jsonValue()).map((all) => JSON.stringify(all)),
    );
    fc.assert(
      fc.property(anyText, anyFormat, (text, format) => {
        try {
          parseTranscript(text, format);
        } catch (error) {
          expect(ThroughlineError.isInstance(error)).toBe(true);
        }
      }),
      { numRuns: cases(100) },
    );
  });

  it("survives records of the right kind with arbitrary field values", () => {
    const junk = fc.jsonValue({ maxDepth: 3 });
    const records: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
      "claude-code": fc.record({
        type: fc.constantFrom("user", "assistant", "system", "summary", "queue-operation", "odd"),
        subtype: fc.option(fc.constant("compact_boundary"), { nil: undefined }),
        uuid: fc.oneof(fc.uuid(), junk),
        isSidechain: fc.oneof(fc.boolean(), junk),
        isCompactSummary: fc.oneof(fc.boolean(), junk),
        operation: fc.constantFrom("enqueue", "remove", "dequeue", "popAll"),
        message: fc.oneof(junk, fc.record({ id: junk, content: fc.oneof(junk, fc.array(block())) })),
      }),
      codex: fc.record({
        type: fc.constantFrom("session_meta", "turn_context", "response_item", "event_msg", "compacted"),
        payload: fc.oneof(
          junk,
          fc.record({
            type: fc.constantFrom("message", "reasoning", "function_call", "function_call_output", "token_count"),
            role: junk,
            content: junk,
            call_id: junk,
            info: junk,
            replacement_history: junk,
          }),
        ),
      }),
      "gemini-cli": fc.record({
        id: junk,
        type: fc.constantFrom("user", "gemini", "info"),
        content: junk,
        toolCalls: junk,
        thoughts: junk,
        tokens: junk,
      }),
    };
    Object.assign(records, {
      opencode: fc.record({
        info: fc.oneof(junk, fc.record({ id: junk, role: fc.constantFrom("user", "assistant"), sessionID: junk })),
        parts: fc.oneof(junk, fc.array(fc.record({ type: fc.constantFrom("text", "tool"), text: junk, state: junk }))),
        messages: fc.option(junk, { nil: undefined }),
      }),
      cline: fc.record({
        role: fc.constantFrom("user", "assistant", "odd"),
        content: fc.oneof(junk, fc.array(block())),
        modelInfo: junk,
        metrics: junk,
        ts: junk,
      }),
      pi: fc.record({
        type: fc.constantFrom("session", "message", "compaction", "custom_message", "session_info", "odd"),
        id: junk,
        summary: junk,
        content: junk,
        name: junk,
        message: fc.oneof(
          junk,
          fc.record({
            role: fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom"),
            content: fc.oneof(junk, fc.array(block())),
            toolCallId: junk,
            usage: junk,
          }),
        ),
      }),
      copilot: fc.record({
        type: fc.constantFrom("session.start", "user.message", "assistant.message", "tool.execution_complete", "odd"),
        id: junk,
        agentId: junk,
        data: fc.oneof(
          junk,
          fc.record({
            sessionId: junk,
            content: junk,
            toolRequests: junk,
            toolCallId: junk,
            error: junk,
            context: junk,
          }),
        ),
      }),
    });
    for (const [format, arbitrary] of Object.entries(records)) {
      fc.assert(
        fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 8 }), (list) => {
          try {
            parseTranscript(lines(...list), format as TranscriptFormat);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableTranscriptError);
          }
        }),
        { numRuns: cases(200) },
      );
    }
  });
});

describe("losses of a transcript", () => {
  const said = fc.record({
    asked: fc.string({ minLength: 1 }),
    answered: fc.string({ minLength: 1 }),
    output: fc.string(),
    /** Broken lines after the record. */
    broken: fc.array(fc.constantFrom("{", "nonsense", '{"type":"user"', "[1,2", '"'), { maxLength: 2 }),
  });

  it("are only the broken lines, which are counted", () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 6 }), (turns) => {
        const chain = { parentUuid: null, sessionId: "s1" };
        const text = turns.flatMap(({ asked, answered, output, broken }, n) => [
          lines(
            { ...chain, type: "user", uuid: `u${n}`, message: { role: "user", content: asked } },
            {
              ...chain,
              type: "assistant",
              uuid: `a${n}`,
              message: { id: `m${n}`, content: [{ type: "text", text: answered }] },
            },
            {
              ...chain,
              type: "assistant",
              uuid: `b${n}`,
              message: { id: `m${n}`, content: [{ type: "tool_use", id: `c${n}`, name: "f", input: { asked } }] },
            },
            {
              ...chain,
              type: "user",
              uuid: `r${n}`,
              message: { role: "user", content: [{ type: "tool_result", tool_use_id: `c${n}`, content: output }] },
            },
          ),
          ...broken,
        ]);
        const { sessions, skipped } = parseTranscript(text.join("\n"));
        const parts = sessions[0]?.messages.flatMap((message) => message.parts) ?? [];
        expect(parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(
          turns.flatMap(({ asked, answered }) => [asked, answered]),
        );
        expect(parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))).toEqual(
          turns.map(({ output }) => ({ type: "text", value: output })),
        );
        expect(parts.flatMap((part) => (part.type === "tool-call" ? [part.input] : []))).toEqual(
          turns.map(({ asked }) => ({ asked })),
        );
        expect(skipped).toHaveLength(turns.reduce((sum, turn) => sum + turn.broken.length, 0));
      }),
      { numRuns: cases(100) },
    );
  });
});

function block(): fc.Arbitrary<Record<string, unknown>> {
  const junk = fc.jsonValue({ maxDepth: 2 });
  return fc.record({
    type: fc.oneof(fc.constantFrom("text", "thinking", "tool_use", "tool_result", "image", "__proto__"), junk),
    id: junk,
    name: junk,
    text: junk,
    thinking: junk,
    tool_use_id: fc.oneof(fc.constant("t1"), junk),
    content: junk,
    source: junk,
  });
}

describe("parseTranscriptStream", () => {
  it("finds the same in any chunks, of text or bytes", async () => {
    for (const text of [claude, chat]) {
      const whole = await collect([text]);
      const bytes = new TextEncoder().encode(text);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (size) => {
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          expect(await collect(pieces)).toEqual(whole);
        }),
      );
      expect(await collect([...text])).toEqual(whole);
    }
  });

  it("finds the same if the first line is longer than all others together", async () => {
    const long = { parentUuid: null, sessionId: "s1", type: "user" };
    const content = "x".repeat(300_000);
    const texts = [
      lines({ message: { role: "user", content }, ...long, uuid: "u1" }, JSON.parse(claude.split("\n")[1] ?? "")),
      lines({ type: "response_item", payload: { type: "message", role: "user", content } }),
      JSON.stringify([
        { role: "user", content },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      ]),
    ];
    for (const text of texts) {
      const pieces = Array.from({ length: Math.ceil(text.length / 60_000) }, (_, i) =>
        text.slice(i * 60_000, (i + 1) * 60_000),
      );
      const whole = await collect([text]);
      expect(whole.filter((event) => event.type === "message")).not.toHaveLength(0);
      expect(whole.filter((event) => event.type === "skipped")).toEqual([]);
      expect(await collect(pieces)).toEqual(whole);
    }
  });

  it("yields its findings before it reports that nothing could be read", async () => {
    const events: TranscriptEvent[] = [];
    const read = async () => {
      for await (const event of parseTranscriptStream(['{"name":"x"}'], "openai")) events.push(event);
    };
    await expect(read()).rejects.toThrow(UnreadableTranscriptError);
    expect(events.map((event) => event.type)).toEqual(["format", "skipped"]);
  });

  it("yields messages before the end of the file, without keeping its records", async () => {
    const record = (n: number) =>
      lines({
        type: "user",
        uuid: `u${n}`,
        parentUuid: null,
        sessionId: "s1",
        message: { role: "user", content: "x".repeat(10_000) },
      });
    let sent = 0;
    function* endless() {
      for (; sent < 2_000; sent += 1) yield `${record(sent)}\n`;
    }
    const seen: number[] = [];
    for await (const event of parseTranscriptStream(endless())) {
      if (event.type === "message") seen.push(sent);
    }
    expect(seen).toHaveLength(2_000);
    // The head is buffered to detect the format; after that each message is emitted with its line.
    expect(seen[1_000]).toBeLessThanOrEqual(1_001);
  });
});
