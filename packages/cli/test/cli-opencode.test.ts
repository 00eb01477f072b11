import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();

describe("import of OpenCode's database", () => {
  it("stores each session once, and adds new messages when it grew", async () => {
    const file = path.join(folder.path, "opencode.db");
    const database = new DatabaseSync(file);
    database.exec(`
      CREATE TABLE session (id text, parent_id text, directory text, title text, version text, time_created integer);
      CREATE TABLE message (id text, session_id text, time_created integer, data text);
      CREATE TABLE part (id text, message_id text, data text);
      INSERT INTO session VALUES ('ses_1', NULL, '/repo', 'One', '1.18.33', 1), ('ses_2', NULL, '/repo', 'Two', '1.18.33', 2);`);
    const say = (id: string, session: string, text: string) => {
      const at = Number(id.slice(4));
      database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, session, at, '{"role":"user"}');
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?)")
        .run(`prt_${id}`, id, JSON.stringify({ type: "text", text }));
    };
    say("msg_1", "ses_1", "Never touch src/legacy.");
    say("msg_2", "ses_2", "Which tests fail?");
    const { json } = memoryCommands(folder.fresh("data"));
    const sessionsOf = async () => {
      const { files } = await json("import", file);
      return files[0].sessions.map(({ id, added, known }: Record<string, unknown>) => [id, added, known]);
    };
    expect(await sessionsOf()).toEqual([
      ["ses_1", 1, 0],
      ["ses_2", 1, 0],
    ]);
    say("msg_3", "ses_2", "And now?");
    expect(await sessionsOf()).toEqual([
      ["ses_1", 0, 1],
      ["ses_2", 1, 1],
    ]);
    database.close();
  });
});
