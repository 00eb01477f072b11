import fc from "fast-check";
import { MINUTE } from "../../internal/time.ts";
import { assistant, tool, user } from "../../ledger/session.arbitrary.ts";
import type { Message } from "../../message/message.ts";

export const MAY = Date.parse("2026-05-04T09:00:00Z");

/** Makes a session from messages, with consecutive ids and one minute between messages. */
export function inSession(sessionId: string, messages: readonly (Message | Message[])[], at = MAY): Message[] {
  return messages.flat().map((message, i) => ({
    ...message,
    id: `${sessionId}-m${i}`,
    sessionId,
    createdAt: at + i * MINUTE,
    parts: message.parts.map((part, p) => ({ ...part, id: `${sessionId}-m${i}.${p}` })),
  }));
}

/** A command with its output. Output that starts with `!` is a failure. */
export function ran(command: string, printed = "ok"): Message[] {
  return tool("Bash", { command }, printed);
}

export function edited(file: string): Message[] {
  return tool("Edit", { file_path: file, old_string: "a", new_string: "b" });
}

const commands = fc.constantFrom(
  "pnpm test",
  "pnpm run lint --fix",
  "docker build -t app:1a2b3c4 .",
  "./deploy.sh staging",
  "./deploy.sh production",
  "curl -fsS https://app.example.com/health",
  "git add -A && git commit -m 'more'",
  "git push origin feature/x",
  "ls -la | head",
  "cat README.md; git status",
  "for i in 1 2; do echo $i; done",
  "bash -lc 'go test ./... && go build'",
  "API_KEY=abc npm publish",
);
const words = fc.oneof(
  fc.constantFrom(
    "Fix the login page, tokens expire too early.",
    "Now add a chart of monthly revenue to the dashboard.",
    "Unrelated: update the contributing guide for translators.",
    "yes",
    "Root cause: the cache used the wrong key. Fixed by hashing the whole path.",
  ),
  fc.string({ maxLength: 80 }),
);
const printed = fc.constantFrom(
  "ok",
  "!Error: it broke at src/a.ts:12",
  "[main 1a2b3c4] feat(app): a change",
  "Exit code 1",
);

/** Arbitrary sessions: talk, successful and failed commands, changes to files. */
export const anyWork: fc.Arbitrary<Message[]> = fc
  .array(
    fc.oneof(
      words.map((text) => [user(text)]),
      words.map((text) => [assistant(text)]),
      fc.tuple(commands, printed).map(([command, output]) => ran(command, output)),
      fc.constantFrom("/app/src/a.ts", "/app/src/a.test.ts", "docs/adr/0012-sessions.md").map(edited),
    ),
    { maxLength: 40 },
  )
  .map((parts) => inSession("s", parts));
