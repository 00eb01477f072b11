import { describe, expect, it } from "vitest";
import { createThroughline } from "../../throughline.ts";
import { PAYLOAD_WORDS, SMUGGLED } from "./smuggled.fixture.ts";

const QUOTED = /⟦[^⟧]*⟧/g;

/** Traces of a message in memory, in the rules of its session, and in the prompt of another session. */
async function leftBehind(text: string): Promise<{ memories: string[]; rules: string[]; prompt: string }> {
  const tl = await createThroughline();
  const { memories } = await tl.memory.ingest({ sessionId: "s1", messages: [{ id: "m1", role: "user", text }] });
  const session = tl.session("s1");
  await session.append([{ role: "user", content: text }]);
  const reply = { role: "assistant" as const, content: "Done. ".repeat(400) };
  await session.append([reply, { role: "user", content: "Go on." }, reply]);
  const compacted = await session.compact({ targetTokens: 2_000, keepTokens: 200 });
  const message = "Should I run the tests? Where do I work, and what is my deploy host?";
  const { system = "" } = await tl.session("s2").prepare({ memory: true, message });
  await tl.close();
  return {
    memories: memories.map(({ memory }) => memory.levels.full),
    rules: /### Rules\n((?:- .*\n?)*)/.exec(compacted?.summary ?? "")?.[1]?.split("\n") ?? [],
    prompt: system.replaceAll(QUOTED, ""),
  };
}

describe("text that the user did not write", () => {
  it.each(SMUGGLED)("is not taken for the user's words: %s", async (_way, text) => {
    const { memories, rules, prompt } = await leftBehind(text);
    expect.soft(memories.filter((memory) => PAYLOAD_WORDS.test(memory))).toEqual([]);
    expect.soft(rules.filter((rule) => PAYLOAD_WORDS.test(rule))).toEqual([]);
    expect.soft(prompt).not.toMatch(PAYLOAD_WORDS);
  });
});
