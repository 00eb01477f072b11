import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { toolOutputText } from "../message/tool-output.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { type CompactMessagesOptions, compact } from "./compact-messages.ts";
import { ContextManager, type ContextManagerOptions } from "./context-manager.ts";

const turn = (name: string): ModelMessage[] => [
  { role: "user", content: `Do ${name}.` },
  {
    role: "assistant",
    content: [
      {
        type: "tool-call",
        toolCallId: name,
        toolName: "Edit",
        input: { file_path: `/src/${name}.ts`, old_string: "a", new_string: "b" },
      },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: name, toolName: "Edit", output: { type: "text", value: "ok" } }],
  },
  { role: "assistant", content: "It is done. ".repeat(20) },
];

/** So many rounds of so many turns over a list that somebody else keeps in between. */
async function rounds(
  start: readonly ModelMessage[],
  count: number,
  keep: (list: readonly ModelMessage[]) => ModelMessage[],
  options: CompactMessagesOptions = {},
): Promise<{ readonly list: readonly ModelMessage[]; readonly summary: string }> {
  let list = [...start];
  let summary = "";
  for (let round = 0; round < count; round += 1) {
    for (let i = 0; i < 4; i += 1) list.push(...turn(`step-${round}-${i}`));
    const { compactedMessages, compactionEvent } = await compact(list, "s", undefined, options);
    list = keep(compactedMessages);
    summary = compactionEvent.summaryContent;
  }
  return { list, summary };
}

const asJson = (list: readonly ModelMessage[]): ModelMessage[] => JSON.parse(JSON.stringify(list));
const roleAndContent = (list: readonly ModelMessage[]): ModelMessage[] =>
  asJson(list).map(({ role, content }) => ({ role, content }) as ModelMessage);

describe("a list that somebody else keeps", () => {
  it("has each thing once in its record, although its tail is read in two rounds", async () => {
    const { summary } = await rounds([{ role: "user", content: "Build it." }], 5, asJson, { recentMessagesToKeep: 8 });
    for (let round = 0; round < 5; round += 1) {
      for (let i = 0; i < 4; i += 1) {
        expect(summary.match(new RegExp(`Do step-${round}-${i}\\.`, "g"))).toHaveLength(1);
        expect(summary).toContain(`/src/step-${round}-${i}.ts (edited)`);
      }
    }
  });

  it("keeps what the user said where only roles and contents are kept", async () => {
    const start: ModelMessage[] = [
      { role: "user", content: "Build it." },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "Use tabs:\n\n- never spaces\n\n## Not a heading of the record" },
    ];
    const { summary, list } = await rounds(start, 20, roleAndContent);
    expect(list[0]).toEqual({ role: "user", content: "Build it." });
    expect(summary).toContain("Use tabs:\n\n- never spaces\n\n\\## Not a heading of the record");
    expect(summary).toContain("Compaction Round 20");
    expect(summary.match(/Do step-7-0\./g)).toHaveLength(1);
  });

  it("keeps what another agent's summary says, round after round", async () => {
    const other = "## Session Summary\n\n### Goal\nA shop.\n\n### Constraints\n- Deploy only on Fridays.";
    const { summary } = await rounds([{ role: "assistant", content: other }], 6, roleAndContent);
    expect(summary).toContain("### Earlier Summary\nGoal\nA shop.\n\nConstraints\n- Deploy only on Fridays.");
  });

  it("names no compaction that could be recalled: nobody has it", async () => {
    const { summary } = await rounds([{ role: "user", content: "Build it." }], 2, asJson);
    expect(summary).not.toContain("Recall it as");
  });

  it("goes on from the ledger that it carries, where another agent's summary stands behind it", async () => {
    const { list } = await rounds([{ role: "user", content: "Never use jQuery." }], 2, asJson, {
      recentMessagesToKeep: 3,
    });
    const other: ModelMessage = { role: "assistant", content: "## Session Summary\nof another" };
    const { summary } = await rounds([...list, { role: "user", content: "On." }, other], 1, asJson);
    expect(summary).toContain("Never use jQuery.");
    expect(summary).toContain("Compaction Round 3");
  });
});

describe("what a context manager is told", () => {
  const long = (count: number) =>
    windowOf(
      ...Array.from({ length: count }, (_, i) =>
        say(i % 2 === 0 ? "user" : "assistant", `${i} ${"word ".repeat(300)}`),
      ),
    );
  const prepared = async (options: ContextManagerOptions, modelId = "gpt-4") => {
    const manager = new ContextManager(options);
    const { messages, tokens } = await manager.prepareContext(long(40), modelId);
    expect(manager.checkOverflow(messages, modelId).isOverflow).toBe(false);
    return { messages, tokens };
  };

  it("holds: turns, messages, tokens and bytes", async () => {
    const { messages } = await prepared({});
    expect((await prepared({ minTurnsToKeep: 4 })).messages.length).toBeGreaterThan(messages.length);
    const { messages: few } = await prepared({ recentMessagesToKeep: 3 });
    expect(few.slice(-3)).toEqual(long(40).slice(-3));
    expect(
      (await prepared({ modelContextLimit: 3_000, outputReserve: 500 }, "gpt-4o")).tokens.final,
    ).toBeLessThanOrEqual(2_500);
    expect((await prepared({ modelContextLimit: 3_000 }, "gpt-4o")).tokens.final).toBeLessThanOrEqual(1_500);
    expect(countTotalBytes((await prepared({ maxBytes: 8_000 }, "gpt-4o")).messages)).toBeLessThanOrEqual(8_000);
  });

  it("is not all that it says: it warns of a model that it does not know", async () => {
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => warnings.push(text) };
    await new ContextManager({ logger }).prepareContext(windowOf(say("user", "hi")), "no-such-model");
    expect(warnings.join()).toContain("no-such-model");
  });

  it("masks the outputs that it means, where ids stand twice", async () => {
    const twice = (name: string, words: string) =>
      windowOf(say("user", `Ask ${name}.`), say("assistant", callPart(name)), say("tool", resultPart(name, words)));
    const list = ["a", "b", "c"].flatMap((name) => twice(name, `${name} `.repeat(55_000)));
    const { messages } = await new ContextManager().prepareContext(list, "gpt-4o");
    const begins = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [toolOutputText(part.output).slice(0, 4)] : [])),
    );
    expect(begins).toEqual(["[Out", "b b ", "c c "]);
  });
});
