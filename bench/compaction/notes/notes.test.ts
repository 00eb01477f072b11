import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { countTokens, validateWindow } from "throughline";
import { convertModelToRich } from "throughline/messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { measureNotes } from "./measure-notes.ts";
import { notePolicies } from "./note-policy.ts";
import { startNoteScores } from "./note-score.ts";
import { checkNoteTargets } from "./print-notes.ts";
import { isSetAside, readCases, readGenericIdentifiers, type SessionCases } from "./read-cases.ts";
import { readClaudeCode } from "./read-claude-code.ts";
import { toModelMessages } from "./to-model-messages.ts";

/** One request with a call per round, a compaction, and a call afterwards. */
function claudeCodeLines(): string {
  const user = (content: unknown, more = {}) => ({ type: "user", message: { role: "user", content }, ...more });
  const reply = (id: string, ...content: unknown[]) => ({
    type: "assistant",
    message: { id, role: "assistant", content },
  });
  const open = (id: string, file: string) => ({ type: "tool_use", id, name: "Read", input: { file } });
  const result = (id: string, content: string) => user([{ type: "tool_result", tool_use_id: id, content }]);
  const rows = [
    user("Please repair the upload in src/upload.ts."),
    reply("m1", { type: "thinking", thinking: "hmm" }),
    reply("m1", { type: "text", text: "Let me look at the file." }, open("c1", "src/upload.ts")),
    result("c1", "export function uploadFile() {}"),
    reply("m2", { type: "text", text: "The upload failed because the proxy drops idle connections." }),
    user("Sub-agent text", { isSidechain: true }),
    user("This session continues: the upload failed because of the proxy.", { isCompactSummary: true }),
    reply("m3", open("c2", "src/upload.ts")),
  ];
  return [...rows.map((row) => JSON.stringify(row)), '{"broken'].join("\n");
}

const LABELS = {
  session: "a1",
  decisions: [
    { text: "Uploads failed because the proxy drops idle connections", quote: "the proxy drops idle", line: 4 },
  ],
  learned: [{ text: "A later finding", line: 7 }],
};

describe("reading a Claude Code transcript", () => {
  it("joins the lines of a reply and leaves out sub-agents and broken lines", () => {
    const messages = readClaudeCode(claudeCodeLines());
    expect(messages.map(({ role, line }) => `${role} ${line}`)).toEqual([
      "user 0",
      "assistant 1",
      "user 3",
      "assistant 4",
      "user 6",
      "assistant 7",
    ]);
    expect(messages[1]?.parts.map(({ kind }) => kind)).toEqual(["reasoning", "text", "call"]);
    expect(messages.map(({ isSummary }) => isSummary).indexOf(true)).toBe(4);
  });

  it("gives legal messages: a result for each call, none without a call", () => {
    const orphan = JSON.stringify({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "gone", content: "late" }] },
    });
    const sent = toModelMessages(readClaudeCode(`${orphan}\n${claudeCodeLines()}`));
    expect(sent.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
      "tool",
    ]);
    for (const provider of ["openai", "anthropic", "gemini"] as const) {
      expect(validateWindow(convertModelToRich(sent), provider)).toEqual([]);
    }
  });
});

describe("notes about sessions of a data folder", () => {
  let data: string;

  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), "notes-"));
    await mkdir(path.join(data, "claude-code", "sessions"), { recursive: true });
    await mkdir(path.join(data, "claude-code", "labels"));
    await mkdir(path.join(data, "codex", "sessions"), { recursive: true });
    await writeFile(path.join(data, "claude-code", "compactions.jsonl"), "");
    await writeFile(path.join(data, "claude-code", "sessions", "a1.jsonl"), claudeCodeLines());
    await writeFile(path.join(data, "claude-code", "sessions", "0b.jsonl"), claudeCodeLines());
    await writeFile(path.join(data, "claude-code", "labels", "sessions.jsonl"), JSON.stringify(LABELS));
    await writeFile(path.join(data, "codex", "sessions", "project__c1.jsonl"), codexLines());
  });

  afterEach(() => rm(data, { recursive: true }));

  it("gives a case for each compaction with the names needed next and the labels before it", async () => {
    const [claudeCode, codex] = await listCases(data, (id) => !isSetAside(id));
    expect(claudeCode?.id).toBe("a1");
    expect(claudeCode?.session.labels).toHaveLength(2);
    expect(claudeCode?.compactions).toHaveLength(1);
    expect(claudeCode?.compactions[0]).toMatchObject({
      needed: ["src/upload.ts"],
      labels: LABELS.decisions,
      ownSummary: "This session continues: the upload failed because of the proxy.",
    });
    expect(codex?.id).toBe("c1");
    expect(codex?.compactions[0]?.needed).toEqual(["src/upload.ts"]);
    expect(codex?.compactions[0]?.ownSummary).toBeUndefined();
  });

  it("leaves out sessions whose id begins with 0 to 3, unless all are asked for", async () => {
    const isWantedPolicy = (name: string) => name === "agent's own summary";
    const some = await measureNotes({ data, isWantedPolicy, all: false });
    const all = await measureNotes({ data, isWantedPolicy, all: true });
    expect([some.compactions.cases, all.compactions.cases]).toEqual([1, 2]);
    expect([some.leftOut, all.leftOut]).toEqual([1, 0]);
  });

  it("leaves generic identifiers out of the needed ones", async () => {
    await writeFile(path.join(data, "generic-identifiers.txt"), "src/upload.ts\nt.Fatalf");
    expect(await readGenericIdentifiers(data)).toEqual(new Set(["src/upload.ts", "t.Fatalf"]));
    const { compactions } = await measureNotes({
      data,
      isWantedPolicy: (name) => name === "last tokens only",
      all: false,
    });
    expect(compactions.scores.map(({ needed }) => needed)).toEqual([[], [], []]);
  });

  it("scores a policy at each size", async () => {
    const { sessions, compactions } = await measureNotes({
      data,
      isWantedPolicy: (name) => name === "assistant's last messages",
      all: false,
    });
    expect(sessions.scores.map(({ size, labels, covered }) => ({ size, labels, covered }))).toEqual([
      { size: 1_000, labels: 2, covered: 1 },
      { size: 2_500, labels: 2, covered: 1 },
    ]);
    expect(compactions.scores.map(({ size }) => size)).toEqual(["own", 1_000, 2_500]);
  });

  it.each(notePolicies.filter(({ ownSizeOnly }) => ownSizeOnly !== true))(
    "$name stays within its size",
    async (policy) => {
      const [first] = await listCases(data, () => true);
      if (first === undefined) throw new Error("no case");
      const note = await policy.write({ ...first.session, messages: repeat(first.session.messages, 50) }, 300);
      expect(note).not.toBe("");
      expect(countTokens(note)).toBeLessThanOrEqual(300);
    },
  );

  it("the story sketch has the request and the conclusion, and no narration", async () => {
    const [first] = await listCases(data, (id) => id === "a1");
    const story = notePolicies.find(({ name }) => name === "story sketch");
    const note = await story?.write(first?.session ?? { id: "", messages: [], labels: [] }, 1_000);
    expect(note).toContain("User: Please repair the upload in src/upload.ts.");
    expect(note).toContain("The upload failed because the proxy drops idle connections.");
    expect(note).not.toContain("Let me look");
  });
});

describe("the targets for notes", () => {
  const policy = { name: "throughline", write: async () => "" };
  const scores = startNoteScores([policy], ["own", 1_000, 2_500]).map((score) => ({
    ...score,
    ...{ tokens: 100, listTokens: 33, labels: 10, covered: 5, needed: [0.8], narrative: [0.4, 0.5], phrases: [0.1] },
  }));

  it("are compared with the measured shares", () => {
    const sessions = { title: "Sessions", scores, cases: 1 };
    const compactions = { title: "Compactions", scores, cases: 1 };
    expect(checkNoteTargets({ sessions, compactions })).toEqual([
      "FAILS  covered ≥ 65% (sessions, size 2,500): 50.0%",
      "met  covered ≥ 40% (sessions, size 1,000): 50.0%",
      "met  listTokens ≤ 33% (sessions, size 2,500): 33.0%",
      "FAILS  needed ≥ 90% (compactions, size agent's own): 80.0%",
      "met  needed ≥ 70% (compactions, size 1,000): 80.0%",
      "met  narrative ≥ 45% (compactions, size agent's own): 45.0%",
      "FAILS  phrases ≥ 15% (compactions, size agent's own): 10.0%",
    ]);
  });

  it("are left out if nothing was measured", () => {
    const none = { title: "None", scores: [], cases: 0 };
    expect(checkNoteTargets({ sessions: none, compactions: none })).toEqual([]);
  });
});

function codexLines(): string {
  const item = (payload: object) => ({ type: "response_item", payload });
  const said = (role: string, type: string, text: string) => item({ type: "message", role, content: [{ type, text }] });
  const call = (id: string) =>
    item({ type: "function_call", call_id: id, name: "read", arguments: '{"file":"src/upload.ts"}' });
  const output = (id: string) => item({ type: "function_call_output", call_id: id, output: "done" });
  const rows = [
    { type: "session_meta", payload: { id: "c1" } },
    said("user", "input_text", "Please repair the upload."),
    call("c1"),
    output("c1"),
    said("assistant", "output_text", "The proxy drops idle connections."),
    { type: "compacted", payload: { message: "" } },
    said("user", "input_text", "Go on."),
    call("c2"),
    output("c2"),
  ];
  return rows.map((row) => JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", ...row })).join("\n");
}

async function listCases(data: string, isWanted: (id: string) => boolean): Promise<SessionCases[]> {
  const cases: SessionCases[] = [];
  for await (const found of readCases(data, isWanted)) cases.push(found);
  return cases.filter(({ id }) => id !== "0b");
}

function repeat<Item>(items: readonly Item[], times: number): Item[] {
  return Array.from({ length: times }, () => items).flat();
}
