import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";

const NOUNS = ["parser", "index", "cache", "router", "ledger", "queue", "schema", "token", "window", "buffer"];

/** Makes one turn of a session: its position, and about how many tokens it has. */
type MakeTurn = (at: number, tokens: number) => ModelMessage[];

/** Sessions that go on forever. No two sentences, requests, files or commands of a session are the same. */
export const GROWING_SESSIONS: Readonly<Record<string, MakeTurn>> = {
  "a chat": (at, tokens) => [
    { role: "user", content: `Question ${at}: why is the ${noun(at)} slow?` },
    { role: "assistant", content: text(tokens, 22, (i) => finding(at, i)) },
  ],
  "a coding session": codingTurn,
  "a session with long messages of the user": (at, tokens) => [
    { role: "user", content: `Request ${at}. ${text(tokens, 22, (i) => wish(at, i))}` },
    { role: "assistant", content: `Part ${at} is done. ${finding(at, 0)}` },
  ],
  "a session in German": (at, tokens) => [
    { role: "user", content: `Frage ${at}: warum ist der Speicher langsam? Bitte immer auf Deutsch antworten.` },
    { role: "assistant", content: text(tokens, 28, (i) => `Fehler ${at}.${i} lag im Speicher, weil er veraltet war.`) },
  ],
  "a session in Chinese": (at, tokens) => [
    { role: "user", content: `问题${at}：为什么缓存这么慢？` },
    {
      role: "assistant",
      content: text(tokens, 26, (i) => `第${at}.${i}部分的缓存已经过期，因此现在读取新的密钥${at + i}。`),
    },
  ],
};

function codingTurn(at: number, tokens: number): ModelMessage[] {
  const output =
    at % 3 === 0
      ? ({
          type: "error-text",
          value: `Exit code 1\nsrc/part-${at}.ts:${at}:3: Error: ${noun(at)}_${at} is not defined`,
        } as const)
      : ({ type: "text", value: text(tokens, 16, (i) => `line ${i} value_${at}_${i} = ${i * at}`) } as const);
  const edit = {
    file_path: `/app/src/part-${at}/${noun(at)}.ts`,
    old_string: `old_${at}`,
    new_string: `${noun(at)}_${at}()`,
  };
  return [
    { role: "user", content: `Step ${at}: fix the ${noun(at)}. Never touch table ${at}.` },
    ...call(`a${at}`, "Bash", { command: `npm test -- part-${at}` }, output),
    ...call(`b${at}`, "Edit", edit, { type: "text", value: "ok" }),
    { role: "assistant", content: `Fixed. ${text(tokens / 4, 22, (i) => finding(at, i))}` },
  ];
}

function call(
  toolCallId: string,
  toolName: string,
  input: unknown,
  output: { readonly type: "text" | "error-text"; readonly value: string },
): ModelMessage[] {
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
  ];
}

function noun(at: number, i = 0): string {
  return NOUNS[(at * 7 + i * 3) % NOUNS.length] ?? "";
}

function finding(at: number, i: number): string {
  return `The ${noun(at, i)} of part ${at}.${i} now reads ${noun(at, i + 1)}_${at}_${i} because the ${noun(at, i + 2)} was stale.`;
}

function wish(at: number, i: number): string {
  return `I want the ${noun(at, i)} of module ${at}-${i} to keep its order, never drop row ${i} of ${at}.`;
}

/** Sentences of about so many tokens in all. */
function text(tokens: number, perSentence: number, sentence: (index: number) => string): string {
  return Array.from({ length: Math.ceil(tokens / perSentence) }, (_, i) => sentence(i)).join(" ");
}
