/** A request to an agent, and the commands that it ran with their outputs. A command that begins with `!` failed. */
export interface AgentTask {
  readonly asked: string;
  readonly ran: readonly (readonly [command: string, printed?: string])[];
  readonly edited?: readonly string[];
  readonly said: string;
}

interface TranscriptOptions {
  readonly cwd?: string;
  readonly at?: string;
}

/** A transcript of Claude Code. */
export function agentTranscript(
  sessionId: string,
  tasks: readonly AgentTask[],
  { cwd = "/home/ada/shop", at = "2026-05-04T09:00:00Z" }: TranscriptOptions = {},
): string {
  let minutes = 0;
  const record = (type: string, message: object) => {
    minutes += 1;
    const timestamp = new Date(Date.parse(at) + minutes * 60_000).toISOString();
    const uuid = `${sessionId}-${minutes}`;
    return { parentUuid: null, sessionId, isSidechain: false, cwd, timestamp, type, uuid, message };
  };
  const call = (name: string, input: object, printed: string) => {
    const id = `${sessionId}-t${minutes}`;
    const isError = printed.startsWith("!");
    const result = { type: "tool_result", tool_use_id: id, content: printed.replace(/^!/, ""), is_error: isError };
    return [
      record("assistant", { id: `m${minutes}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] }),
      record("user", { role: "user", content: [result] }),
    ];
  };
  const lines = tasks.flatMap(({ asked, ran, edited = [], said }) => [
    record("user", { role: "user", content: asked }),
    ...edited.flatMap((file) => call("Edit", { file_path: `${cwd}/${file}`, old_string: "a", new_string: "b" }, "ok")),
    ...ran.flatMap(([command, printed = "ok"]) => call("Bash", { command }, printed)),
    record("assistant", { id: `m${minutes}`, role: "assistant", content: [{ type: "text", text: said }] }),
  ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A session that brings an app to production. */
export function deployment(n: number): AgentTask {
  return {
    asked: `Please deploy release ${n} of the shop.`,
    ran: [
      ["git status"],
      ["pnpm test --coverage"],
      [`docker build -t app:${(0x1a2b3c4 + n * 0x11111).toString(16)} .`],
      ["./deploy.sh staging"],
      ["curl -fsS https://staging.example.com/health"],
      ["./deploy.sh production"],
    ],
    said: `Release ${n} of the shop is deployed to production and answers.`,
  };
}

/** A session that repairs something, and commits it. */
export function repair(n: number): AgentTask {
  return {
    asked: `The cart loses item ${n} after a reload of the page.`,
    edited: ["src/cart.ts", "src/cart.test.ts"],
    ran: [
      ["pnpm test"],
      [
        `git commit -am "fix(cart): keep item ${n}"`,
        `[main ${(0xabc0000 + n).toString(16)}] fix(cart): keep item ${n}`,
      ],
    ],
    said: `The cart keeps item ${n} over a reload now, and there is a test for it.`,
  };
}
