import { SAMPLE_CONTENT, TRANSCRIPT_SAMPLES } from "../../src/transcript/samples.fixture.ts";

/** Characters of each message and memory, if a text is spread over many of them. */
const PIECE = 60;
/** Characters of a text for each time that the records of a transcript are repeated. */
const RECORDS = 500;

export function piecesOf(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));
}

export const fact = (text: string, id = "a") => ({
  id,
  kind: "fact",
  levels: { full: text, summary: text, compressed: text, index: text },
  category: "identity",
  owner: "ada",
  scope: "user-private",
  confidence: 0.8,
  mentions: 1,
  pinned: false,
  byHand: false,
  createdAt: 1,
  lastSeenAt: 1,
  validFrom: 1,
  aliases: [],
  artifacts: [],
  links: [],
  usage: { retrieved: 0, cited: 0, ignored: 0 },
  source: { quote: text },
});
const chatFact = (text: string, id = "a") => ({
  id,
  fact: text,
  category: "identity",
  confidence: 0.8,
  mentionCount: 1,
  firstSeen: 1,
  lastSeen: 1,
  lastSeenConversationId: "c",
  pinned: false,
});
const withPieces = <T>(make: (text: string, id: string) => T, text: string): readonly T[] => [
  make(text, "a"),
  make(`${text}b`, "b"),
  ...piecesOf(text).map((piece, at) => make(piece, `p${at}`)),
];
export const facts = (text: string) => withPieces(fact, text);
export const chatFacts = (text: string) => withPieces(chatFact, text);
/** A long message of each side, and many short ones. */
export const chat = (text: string) => [
  ...[text, text, ...piecesOf(text)].map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content })),
];
export const part = (text: string, id = "m0.0") => ({ id, type: "text", text });
const richMessage = (id: string, role: string, parts: readonly object[]) => ({
  id,
  sessionId: "s",
  role,
  parts,
  createdAt: 1,
});

/** A user's text, an assistant's with a call, and a tool's result. */
function richTurn(text: string, id: string): readonly object[] {
  const tool = { toolCallId: `c${id}`, toolName: "read" };
  const output = { type: "text", value: text };
  return [
    richMessage(`${id}u`, "user", [part(text, `${id}u.0`)]),
    richMessage(`${id}a`, "assistant", [
      part(text, `${id}a.0`),
      { ...tool, type: "tool-call", id: `${id}a.1`, input: { path: "a.ts" } },
    ]),
    richMessage(`${id}t`, "tool", [{ ...tool, type: "tool-result", id: `${id}t.0`, output }]),
  ];
}

/** A turn of the whole text, turns of its pieces, and a last word. */
export function rich(text: string): readonly object[] {
  return [
    ...[text, ...piecesOf(text)].flatMap((some, at) => richTurn(some, `m${at}`)),
    richMessage("last", "user", [part("Go on.", "last.0")]),
  ];
}

/** A session in every format: with the whole text as one message, and with a piece of it in many messages. */
export function transcripts(text: string): readonly string[] {
  const { asked, answered, output } = SAMPLE_CONTENT;
  const escaped = (some: string) => JSON.stringify(some).slice(1, -1);
  const said = (written: string, some: string) =>
    [asked, answered, output].reduce((left, one) => left.replaceAll(escaped(one), () => escaped(some)), written);
  const times = Math.ceil(text.length / RECORDS);
  return TRANSCRIPT_SAMPLES.flatMap((sample) => [
    said(sample.text, text),
    repeated(said(sample.text, text.slice(0, PIECE)), times),
  ]);
}

/** Lines are repeated as they are, and messages in their list. */
function repeated(written: string, times: number): string {
  if (/^\{.*\n\{/.test(written)) return written.repeat(times);
  const document = JSON.parse(written);
  const many = (messages: readonly unknown[]) => Array.from({ length: times }, () => messages).flat();
  return JSON.stringify(Array.isArray(document) ? many(document) : { ...document, messages: many(document.messages) });
}
