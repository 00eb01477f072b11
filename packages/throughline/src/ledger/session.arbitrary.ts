import fc from "fast-check";
import { omitUndefined } from "../internal/json.ts";
import { completeMessage, type Message } from "../message/message.ts";
import type { PartDraft } from "../message/part.ts";
import { EMPTY_LEDGER, type Ledger } from "./ledger.ts";
import { reduceLedger } from "./reduce-ledger.ts";

let calls = 0;

export function user(text: string, more: { synthetic?: boolean; isSummary?: boolean; partId?: string } = {}): Message {
  const { synthetic, isSummary, partId: id } = more;
  const part: PartDraft = omitUndefined({ type: "text", text, synthetic, id });
  return completeMessage(omitUndefined({ role: "user", parts: [part], isSummary }), 0);
}

export function assistant(text: string): Message {
  return completeMessage({ role: "assistant", parts: [{ type: "text", text }] }, 0);
}

/** A call with its result, as two messages. A result that begins with `!` is an error. */
export function tool(toolName: string, input: unknown, result = "ok"): Message[] {
  calls += 1;
  const toolCallId = `call_${calls}`;
  const output = result.startsWith("!")
    ? ({ type: "error-text", value: result.slice(1) } as const)
    : ({ type: "text", value: result } as const);
  return [
    completeMessage({ role: "assistant", parts: [{ type: "tool-call", toolCallId, toolName, input }] }, 0),
    completeMessage({ role: "tool", parts: [{ type: "tool-result", toolCallId, toolName, output }] }, 0),
  ];
}

export function ledgerOf(...messages: (Message | Message[])[]): Ledger {
  return messages.flat().reduce(reduceLedger, EMPTY_LEDGER);
}

export function filesOf(ledger: Ledger): Record<string, unknown> {
  return Object.fromEntries(
    ledger.files.map(({ path, actions, to }) => [path, to === undefined ? actions : { ...actions, to }]),
  );
}

const paths = fc.constantFrom("/app/src/a.ts", "/app/src/b.ts", "src/a.ts", "/app/README.md", "odd path.txt");
const hostileBits = fc.oneof(
  fc.constantFrom("\n", "\r", "\u2028", " ", "\t", "#", ">", "- Open:", "```", "~~~", "\\", "x", "never ", "/", "a.ts"),
  fc.constantFrom("\u200d", "\u200c", "\ufe0f", "👨", "🏽", "ب", "\u20e3", "\u001b[31m", "\u001b", "\ud83d", "\udc68"),
  fc.string({ unit: "binary", maxLength: 4 }),
);

/** Adversarial text, short and very long. */
export const hostileSpeech: fc.Arbitrary<string> = fc
  .tuple(fc.array(hostileBits, { maxLength: 40 }), fc.constantFrom(1, 1, 1, 300))
  .map(([bits, times]) => bits.join("").repeat(times));

const words = fc.oneof(
  fc.string({ maxLength: 200 }),
  hostileSpeech,
  fc.constantFrom(
    "Please never touch /app/src/b.ts and keep parseThing as it is.",
    "- [ ] write the tests\n- [x] read the code",
    "I'll use a Map instead of an object because keys are numbers.",
    "## Heading\n### Requests\n- Open: not a request",
  ),
);

/** Text of people: some lines, with lists, quotations, code and other scripts. No line is a heading. */
export const anySpeech: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "- do this",
        "1. first",
        "  indented",
        "",
        "| a | b |",
        "> said he",
        "```ts",
        "```",
        "a\tb",
        "end  ",
      ),
      fc.constantFrom(
        "héllo wörld",
        "日本語のテスト",
        "می‌خواهم",
        "👨‍👩‍👧 ❤️ 1️⃣",
        "Never touch **legacy**, please.",
        "a\r",
      ),
      fc.string({ unit: "grapheme-ascii", maxLength: 60 }).map((line) => line.replaceAll("#", "")),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((lines) => `Do ${lines.join("\n")}`.trimEnd());

/** Any session: speech, calls of known and unknown tools, failures, summaries. */
export const anySession: fc.Arbitrary<Message[]> = fc
  .array(
    fc.oneof(
      words.map((text) => [user(text)]),
      words.map((text) => [user(text, { isSummary: true, synthetic: true })]),
      words.map((text) => [assistant(text)]),
      fc
        .tuple(fc.constantFrom("Read", "Edit", "Write", "unknown_tool"), paths, words)
        .map(([name, path, text]) => tool(name, { file_path: path, new_string: text }, text)),
      fc.tuple(words, words).map(([command, text]) => tool("Bash", { command }, `!Exit code 1\n${text}`)),
      fc.tuple(fc.string(), fc.jsonValue()).map(([name, input]) => tool(name, input)),
    ),
    { maxLength: 15 },
  )
  .map((groups) => groups.flat());
