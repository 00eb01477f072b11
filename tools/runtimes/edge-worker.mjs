import { createThroughline, loadTokenRanks, validateWindow, wordEmbedder } from "throughline";
import ranks from "throughline/token-ranks.bin";
import vectors from "throughline/word-vectors.bin";

// A worker for an edge runtime: a session that has to be compacted, and a memory that is found again.
const BUDGET = 4_000;

export default {
  async fetch() {
    await loadTokenRanks(new Uint8Array(ranks));
    const tl = await createThroughline({ embedder: wordEmbedder({ bytes: new Uint8Array(vectors) }) });
    const session = tl.session("s1", { modelId: "gpt-4o" });
    await session.append([{ role: "user", content: "Rename getUser to fetchUser. Never touch src/legacy.ts." }]);
    for (let step = 0; step < 60; step += 1) await session.append(callOf(step));
    const turn = await session.prepare({ system: "You are a careful engineer.", budget: BUDGET });
    await tl.memory.remember({ text: "The database of the shop is PostgreSQL." });
    const [hit] = await tl.memory.recall("Which database does the shop use?");
    return Response.json({
      fits: turn.tokens.final <= BUDGET,
      wasCompacted: turn.wasCompacted,
      violations: validateWindow(turn.messages, "anthropic"),
      recalled: hit?.text,
    });
  },
};

/** @param {number} step */
function callOf(step) {
  const call = { toolCallId: `call_${step}`, toolName: "Read" };
  const value = `export const id${step} = getUser(${step});\n`.repeat(40);
  const text = `Module ${step} uses getUser ${step + 1} times, because each page loads its own user.`;
  return [
    {
      role: "assistant",
      content: [
        { type: "text", text },
        { type: "tool-call", ...call, input: { path: `src/${step}.ts` } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] },
  ];
}
