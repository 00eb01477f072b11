// Shows what an agent did, and what its compaction left. Reads a transcript of a coding agent, also a broken one.
import assert from "node:assert/strict";
import { parseTranscript } from "throughline";

const chain = { parentUuid: null, sessionId: "demo", isSidechain: false };
const transcript = [
  { ...chain, type: "user", uuid: "u1", message: { role: "user", content: "Rename getUser to fetchUser." } },
  {
    ...chain,
    type: "assistant",
    uuid: "a1",
    message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Grep", input: { pattern: "getUser" } }] },
  },
  {
    ...chain,
    type: "user",
    uuid: "u2",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "src/user.ts:4" }] },
  },
  {
    ...chain,
    type: "system",
    uuid: "b1",
    subtype: "compact_boundary",
    compactMetadata: { trigger: "auto", preTokens: 155_000 },
  },
  {
    ...chain,
    type: "user",
    uuid: "u3",
    isCompactSummary: true,
    message: { role: "user", content: "We are renaming a function." },
  },
]
  .map((line) => JSON.stringify(line))
  .concat('{"type":"assistant","uuid":"a2","mess')
  .join("\n");

const { format, sessions, skipped } = parseTranscript(transcript);
const [session] = sessions;
console.log(`${format}: ${session?.messages.length} messages`);

for (const { at, tokensBefore, summary } of session?.compactions ?? []) {
  const before = JSON.stringify(session?.messages.slice(0, at));
  const lost = ["getUser", "src/user.ts"].filter((name) => before.includes(name) && !summary?.includes(name));
  console.log(`compacted at ${tokensBefore} tokens; the summary does not name: ${lost.join(", ")}`);
  assert.deepEqual(lost, ["getUser", "src/user.ts"]);
}
for (const { line, text } of skipped) console.log(`line ${line} was skipped: ${text}`);

assert.equal(format, "claude-code");
assert.equal(session?.messages.length, 4);
assert.equal(skipped.length, 1);
