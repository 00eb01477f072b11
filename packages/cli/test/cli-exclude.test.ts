import path from "node:path";
import { describe, expect, it } from "vitest";
import { memoryCommands, runMain } from "./cli-in-process.ts";
import { projectSessions } from "./project-sessions.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const { repository, transcript } = projectSessions(folder);
const onData = () => memoryCommands(folder.fresh("data"));

describe("the setting exclude", () => {
  it("keeps sessions of a folder out of import, hooks and learn", async () => {
    const on = onData();
    const [open, closed] = [repository("open"), repository("closed")];
    const files = [
      await transcript("open-1", "We deploy the blog with Netlify.", open),
      await transcript("closed-1", "Never touch src/legacy in this repository.", path.join(closed, "src")),
    ];
    const env = { THROUGHLINE_EXCLUDE: closed, CLAUDE_PROJECT_DIR: undefined };
    const run = (args: readonly string[], input = "") => runMain([...args, "--data", on.data], { env, input });
    const { stdout } = await run(["import", ...files, "--remember"]);
    expect(stdout).toContain("1 session skipped, because the setting `exclude` names the folder.");
    const call = { cwd: closed, session_id: "closed-1", transcript_path: files[1] };
    expect(await run(["hook", "session-end"], JSON.stringify(call))).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const learned = await run(["learn", "--dir", closed]);
    expect(learned).toMatchObject({ code: 2, stderr: expect.stringContaining("the setting `exclude` matches it.") });
    expect(JSON.stringify(await on.json("export"))).not.toContain("src/legacy");
    expect((await on.json("sessions")).map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(["open-1"]);
    expect((await on.json("projects")).projects.map(({ id }: { id: string }) => id)).toEqual([open]);
  });
});

describe("a session that moved into an excluded folder", () => {
  it.each(["claude-code", "codex"] as const)("is stored without the messages from there: %s", async (format) => {
    const on = onData();
    const [open, closed] = [repository("open"), repository("closed")];
    const file = await folder.file(`moved-${format}.jsonl`, MOVED[format](open, path.join(closed, "src")));
    const { stdout } = await runMain(["import", file, "--data", on.data], { env: { THROUGHLINE_EXCLUDE: closed } });
    expect(stdout).toMatch(/^[23] messages skipped, because the setting `exclude` names the folder\.$/m);
    const stored = JSON.stringify(await on.json("show", "moved"));
    for (const kept of ["Start with the shop.", "The shop is ready.", "Back to the shop."])
      expect(stored).toContain(kept);
    expect(stored).not.toContain("vault");
  });
});

const jsonLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A session that goes from one folder to another and back. */
const MOVED = {
  "claude-code": (open: string, closed: string) => {
    const record = (id: string, type: string, cwd: string, content: unknown) => ({
      ...{ parentUuid: null, sessionId: "moved", isSidechain: false, cwd, timestamp: "2026-05-04T09:00:00Z", type },
      ...{ uuid: id, message: { id, role: type, content } },
    });
    const call = { type: "tool_use", id: "c1", name: "Bash", input: { command: "cd ../closed && cat vault.txt" } };
    return jsonLines([
      record("1", "user", open, "Start with the shop."),
      record("2", "assistant", open, [{ type: "text", text: "The shop is ready." }]),
      record("3", "assistant", open, [call]),
      record("4", "user", closed, [{ type: "tool_result", tool_use_id: "c1", content: "vault 1" }]),
      record("5", "user", closed, "Describe the vault."),
      record("6", "user", open, "Back to the shop."),
    ]);
  },
  codex: (open: string, closed: string) => {
    const record = (type: string, payload: object) => ({ timestamp: "2026-05-04T09:00:00Z", type, payload });
    const said = (role: string, text: string) => {
      const content = [{ type: role === "user" ? "input_text" : "output_text", text }];
      return record("response_item", { type: "message", role, content });
    };
    return jsonLines([
      record("session_meta", { id: "moved", cwd: open, cli_version: "0.142.5" }),
      record("turn_context", { cwd: open, model: "gpt-5-codex" }),
      said("user", "Start with the shop."),
      said("assistant", "The shop is ready."),
      record("turn_context", { cwd: closed, model: "gpt-5-codex" }),
      said("user", "Describe the vault."),
      said("assistant", "It is a vault."),
      record("turn_context", { cwd: open, model: "gpt-5-codex" }),
      said("user", "Back to the shop."),
    ]);
  },
};
