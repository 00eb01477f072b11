import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../message/convert/ai-sdk-types.ts";
import { createThroughline } from "../../throughline.ts";
import { type CompactMessagesOptions, compact } from "./compact-messages.ts";

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

/** Rounds of turns over a list that the caller stores in between. */
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

describe("a list that the caller keeps", () => {
  it("lists each item once in its record, although its tail is read in two rounds", async () => {
    const start: ModelMessage[] = [{ role: "user", content: "Build it." }];
    const { summary, list } = await rounds(start, 5, asJson, { recentMessagesToKeep: 8 });
    const kept = list.flatMap(({ role, content }) => (role === "user" ? [JSON.stringify(content)] : []));
    const said = [summary, ...kept].join("\n");
    for (let round = 0; round < 5; round += 1) {
      for (let i = 0; i < 4; i += 1) {
        expect(said.match(new RegExp(`Do step-${round}-${i}\\.`, "g"))).toHaveLength(1);
        expect(summary).toContain(`step-${round}-${i}.ts`);
      }
    }
  });

  it("keeps the user's words if only roles and contents are kept", async () => {
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

  it("keeps another agent's summary, round after round", async () => {
    const other = "## Session Summary\n\n### Goal\nA shop.\n\n### Constraints\n- Deploy only on Fridays.";
    const { summary } = await rounds([{ role: "assistant", content: other }], 6, roleAndContent);
    expect(summary).toContain("### Earlier Summary\nGoal\nA shop.\n\nConstraints\n- Deploy only on Fridays.");
  });

  it("names no handle, because there is no history", async () => {
    const { summary } = await rounds([{ role: "user", content: "Build it." }], 2, asJson);
    expect(summary).not.toContain("Recall it as");
  });

  it("continues from the ledger that it carries, also if another agent's summary follows it", async () => {
    const { list } = await rounds([{ role: "user", content: "Never use jQuery." }], 2, asJson, {
      recentMessagesToKeep: 3,
    });
    const other: ModelMessage = { role: "assistant", content: "## Session Summary\nof another" };
    const { summary } = await rounds([...list, { role: "user", content: "On." }, other], 1, asJson);
    expect(summary).toContain("Never use jQuery.");
    expect(summary).toContain("Compaction Round 3");
  });
});

describe("compact() and a session", () => {
  it("write the same summary for the same messages and settings", async () => {
    const messages = Array.from({ length: 30 }, (_, i) => turn(`step-${i}`)).flat();
    const config = { recentMessagesToKeep: 6 };
    const session = (await createThroughline({ clock: { now: () => 0 } })).session("s", { modelId: "gpt-4o", config });
    await session.append(messages);
    const event = await session.compact();
    const { compactionEvent } = await compact(messages, "s", undefined, config);
    // Only a session has a history, and so a handle.
    expect(event?.summary.replace("\n\nRecall it as compaction-1.", "")).toBe(compactionEvent.summaryContent);
    expect(compactionEvent.compactedMessageIds).toHaveLength(event?.compactedMessageIds.length ?? 0);
  });
});
