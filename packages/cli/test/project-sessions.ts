import { mkdirSync } from "node:fs";
import path from "node:path";
import type { temporaryFolder } from "./run-cli.ts";

/** Makes repositories, and transcripts of sessions in them. */
export function projectSessions(folder: ReturnType<typeof temporaryFolder>) {
  return {
    /** A folder that is a repository, with a subfolder `src`. */
    repository(name: string): string {
      const root = folder.fresh(name);
      mkdirSync(path.join(root, ".git"), { recursive: true });
      mkdirSync(path.join(root, "src"));
      return root;
    },
    /** A transcript of Claude Code with messages of the user, each with a short reply. */
    transcript(sessionId: string, said: string | readonly string[], cwd?: string, gitBranch?: string): Promise<string> {
      const record = (type: string, minute: number, content: unknown) => ({
        ...{ parentUuid: null, sessionId, isSidechain: false, cwd, gitBranch, type, uuid: `${sessionId}-${minute}` },
        timestamp: `2026-05-04T09:${String(minute).padStart(2, "0")}:00Z`,
        message: { role: type, content },
      });
      const lines = [said]
        .flat()
        .flatMap((text, i) => [
          record("user", 2 * i + 1, text),
          record("assistant", 2 * i + 2, [{ type: "text", text: "Understood, I will keep to that from now on." }]),
        ]);
      return folder.file(`${sessionId}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    },
  };
}
