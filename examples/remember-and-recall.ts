// Memory across sessions: no model, no key, no network.
import assert from "node:assert/strict";
import { createThroughline } from "throughline";

const throughline = await createThroughline({ userId: "ada" });
const { memory } = throughline;

// Saved by hand. A new value of a key replaces the earlier one, which stays in the journal.
await memory.remember({ text: "The team uses MySQL for the shop.", key: "db", value: "MySQL" });
const { outcome } = await memory.remember({
  text: "The team uses PostgreSQL for the shop.",
  key: "db",
  value: "PostgreSQL",
});
assert.equal(outcome, "replaced");

// Messages are stored verbatim; rules find the facts in them.
await memory.ingest({
  sessionId: "monday",
  messages: [
    { id: "m1", role: "user", text: "I live in Lisbon and I'm allergic to peanuts.", at: "2026-05-04" },
    { id: "m2", role: "assistant", text: "Noted. Shall we look at the deployment?", at: "2026-05-04" },
    { id: "m3", role: "user", text: "Yes, we ship with Kubernetes every Friday at noon.", at: "2026-05-04" },
  ],
});

for (const question of ["Which database does the shop use?", "when do we deploy to k8s", "Who painted the ceiling?"]) {
  const hits = await memory.recall(question);
  console.log(question, hits.length === 0 ? "nothing fits" : "");
  for (const { text, reasons, source } of hits)
    console.log(`  ${text} (${[source.sessionId, ...reasons].filter(Boolean).join("; ")})`);
}
const [database] = await memory.recall("Which database does the shop use?");
assert.match(database?.text ?? "", /PostgreSQL/);
assert.deepEqual(await memory.recall("Who painted the ceiling of the chapel?"), []);

// In a prompt: an escaped block within a budget, with a line in the receipt.
const session = throughline.session("tuesday");
await session.append([{ role: "user", content: "Can you suggest a lunch? Remember what I am allergic to." }]);
const turn = await session.prepare({ system: "You are a cook.", memory: true });
console.log(turn.system);
assert.match(turn.system, /peanuts/);

// You can undo `forget`, but not `purge`.
const [allergy] = await memory.recall("What is the user allergic to?", { from: "memories" });
await memory.forget(allergy?.id ?? "");
assert.deepEqual(await memory.recall("What is the user allergic to?", { from: "memories" }), []);
const [forgotten] = await memory.journal();
await memory.undo(forgotten?.id ?? "");
assert.equal((await memory.recall("What is the user allergic to?", { from: "memories" })).length, 1);
await throughline.close();
