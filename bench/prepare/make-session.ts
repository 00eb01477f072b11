import type { Message, Part } from "throughline";
import { countTotalTokens } from "throughline/tokens";

const VERBS = ["parse", "render", "merge", "fetch", "index", "count", "store", "route", "check", "split"];
const NOUNS = ["Window", "Ledger", "Token", "Session", "Cursor", "Branch", "Index", "Receipt", "Queue", "Header"];
const FOLDERS = ["api", "core", "store", "server", "client", "jobs", "auth", "search"];

/** Generates a session of about this many tokens: requests, file reads and edits, each slightly different. */
export function makeSession(tokens: number): Message[] {
  const messages: Message[] = [];
  let counted = 0;
  for (let turn = 0; counted < tokens; turn += 1) {
    const added = makeExchange(turn);
    messages.push(...added);
    counted += countTotalTokens(added);
  }
  return messages;
}

/** One exchange: every eighth starts with a user request. */
export function makeExchange(turn: number): Message[] {
  const random = seeded(turn + 1);
  const name = pick(VERBS, random) + pick(NOUNS, random);
  const file = `src/${pick(FOLDERS, random)}/${name.toLowerCase()}-${turn % 97}.ts`;
  const callId = `call_${turn}`;
  const isEdit = turn % 3 === 2;
  const toolName = isEdit ? "Edit" : "Read";
  const input = isEdit
    ? { file_path: file, old_string: makeCode(name, 3, random), new_string: makeCode(`${name}Next`, 4, random) }
    : { file_path: file };
  const output = isEdit ? `The file ${file} has been updated.` : makeCode(name, 20 + Math.floor(random() * 60), random);
  const exchange = [
    message(turn, "assistant", [
      { id: `${turn}.a0`, type: "text", text: `Next I look at ${name} in ${file}, where case ${turn} may go wrong.` },
      { id: `${turn}.a1`, type: "tool-call", toolCallId: callId, toolName, input },
    ]),
    message(turn, "tool", [
      { id: `${turn}.t0`, type: "tool-result", toolCallId: callId, toolName, output: { type: "text", value: output } },
    ]),
  ];
  return turn % 8 === 0 ? [makeRequest(turn, name, file), ...exchange] : exchange;
}

function makeRequest(turn: number, name: string, file: string): Message {
  const text = `Please make ${name} in ${file} handle an empty list, and keep the public API as it is (request ${turn}).`;
  return message(turn, "user", [{ id: `${turn}.u0`, type: "text", text }]);
}

function message(turn: number, role: Message["role"], parts: Part[]): Message {
  return { id: `m${turn}.${role}`, sessionId: "made", role, parts, createdAt: 1_700_000_000_000 + turn * 1_000 };
}

function makeCode(name: string, lines: number, random: () => number): string {
  return Array.from({ length: lines }, (_, line) => {
    const value = Math.floor(random() * 1_000);
    return `  const ${pick(VERBS, random)}${pick(NOUNS, random)}${line} = ${name}(${value}, options.${pick(VERBS, random)});`;
  }).join("\n");
}

function pick(list: readonly string[], random: () => number): string {
  return list[Math.floor(random() * list.length)] ?? "";
}

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
