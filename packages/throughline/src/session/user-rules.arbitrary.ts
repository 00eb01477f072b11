import fc from "fast-check";
import { CORRECTION_SENTENCES, RULE_SENTENCES } from "../language/rule-markers.fixture.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";

/** A statement of the user that has to stay in the window. */
interface Saying {
  readonly kind: "rule" | "correction" | "denied" | "denied, then done" | "approval" | "client text" | "interruption";
  readonly words: string;
}

const REASONS: readonly string[] = [
  "keep the build folder, CI needs it",
  "das brauchen wir noch, lass es stehen",
  "usa la otra rama para eso",
  "on garde ce fichier, merci",
  "这个文件还要用",
  "это ещё понадобится для релиза",
  "too slow, the unit tests are enough for now",
  "lo hacemos en otra rama",
  "erst die Logs sichern, dann aufräumen",
];
const CLIENT_TEXT =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";

const saying: fc.Arbitrary<Saying> = fc.oneof(
  { weight: 4, arbitrary: sayingOf("rule", RULE_SENTENCES) },
  { weight: 2, arbitrary: sayingOf("correction", CORRECTION_SENTENCES) },
  { weight: 1, arbitrary: sayingOf("denied", REASONS) },
  { weight: 1, arbitrary: sayingOf("denied, then done", REASONS) },
  { weight: 1, arbitrary: sayingOf("approval", REASONS) },
  { weight: 1, arbitrary: sayingOf("client text", REASONS) },
  { weight: 1, arbitrary: sayingOf("interruption", REASONS) },
);

function sayingOf(kind: Saying["kind"], words: readonly string[]): fc.Arbitrary<Saying> {
  return fc.constantFrom(...words).map((one) => ({ kind, words: one }));
}

/** Long texts that try to push earlier statements out of the window. */
const FLOODS = {
  paste: (round: number) => `Look at this log:\n\`\`\`\n${`Never stop at line ${round}. `.repeat(120)}\n\`\`\``,
  prose: (round: number) => `I looked at module ${round} and it reads a table. `.repeat(60),
  rules: (round: number) => Array.from({ length: 60 }, (_, i) => `Never rename item ${i} of part ${round}.`).join("\n"),
  requests: (round: number) => `Show me file ${round} and then the next one.`,
} as const;

/** One session: the statements of each round, and the floods in between. */
export interface RuledSession {
  readonly sayings: readonly (Saying & { readonly round: number })[];
  readonly floods: readonly (keyof typeof FLOODS)[];
}

export function ruledSession(rounds: number): fc.Arbitrary<RuledSession> {
  const round = fc.nat({ max: rounds - 1 });
  return fc.record({
    sayings: fc.uniqueArray(
      fc.tuple(saying, round).map(([one, at]) => ({ ...one, round: at })),
      { minLength: 1, maxLength: 6, selector: ({ words }) => words },
    ),
    floods: fc.array(fc.constantFrom("paste", "prose", "rules", "requests"), { minLength: rounds, maxLength: rounds }),
  });
}

/** The messages of one round. */
export function messagesOf({ sayings, floods }: RuledSession, round: number): ModelMessage[] {
  const said = sayings.filter((one) => one.round === round).flatMap((one, i) => sayingMessages(one, `c${round}-${i}`));
  const flood = FLOODS[floods[round] ?? "prose"](round);
  return [
    ...said,
    { role: "user", content: flood },
    { role: "assistant", content: `Part ${round} is done. ${"The table has a new column. ".repeat(150)}` },
  ];
}

function sayingMessages({ kind, words }: Saying, toolCallId: string): ModelMessage[] {
  const call = { type: "tool-call", toolCallId, toolName: "Bash", input: { command: "rm -rf build" } } as const;
  const result = { type: "tool-result", toolCallId, toolName: "Bash" } as const;
  const denied = { ...result, output: { type: "execution-denied", reason: words } } as const;
  switch (kind) {
    case "denied":
      return [
        { role: "assistant", content: [call] },
        { role: "tool", content: [denied] },
      ];
    case "denied, then done": {
      const again = { ...call, toolCallId: `${toolCallId}-again` };
      const output = { type: "text", value: "removed" } as const;
      return [
        { role: "assistant", content: [call] },
        { role: "tool", content: [denied] },
        { role: "assistant", content: [again] },
        { role: "tool", content: [{ ...result, toolCallId: again.toolCallId, output }] },
        { role: "assistant", content: "Removed, and the folder is kept elsewhere." },
      ];
    }
    case "approval": {
      const approvalId = `p-${toolCallId}`;
      const response = { type: "tool-approval-response", approvalId, approved: false, reason: words } as const;
      return [
        { role: "assistant", content: [call, { type: "tool-approval-request", approvalId, toolCallId }] },
        { role: "tool", content: [response, denied] },
      ];
    }
    case "client text":
      return [
        { role: "assistant", content: [call] },
        { role: "tool", content: [{ ...result, output: { type: "error-text", value: `${CLIENT_TEXT}${words}` } }] },
      ];
    case "interruption":
      return [
        { role: "user", content: "Remove the build folder." },
        { role: "user", content: "[Request interrupted by user]" },
        { role: "user", content: words },
        { role: "assistant", content: "Understood." },
      ];
    default:
      return [
        { role: "user", content: words },
        { role: "assistant", content: "Understood." },
      ];
  }
}
