import type { Hook } from "./hook-file.ts";

/** The agents that run commands of ours. */
export type Agent = "claude-code" | "codex" | "opencode";

/** What we do for an agent. */
export const HOOK_EVENTS = ["session-start", "pre-compact", "session-end"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Seconds that a hook gives itself; the agent waits somewhat longer before it ends it. */
export const TIME_LIMITS: Readonly<Record<HookEvent, number>> = {
  "session-start": 10,
  "pre-compact": 20,
  "session-end": 50,
};

/**
 * The hooks of Claude Code. What `PreCompact` prints becomes instructions for the summary; at `SessionEnd` it waits a second
 * and a half, unless a hook asks for more, and for a minute at the most.
 */
export function claudeCodeHooks(program: string): readonly Hook[] {
  return [
    { event: "SessionStart", command: commandOf(program, "session-start", "claude-code"), timeout: 15 },
    { event: "PreCompact", command: commandOf(program, "pre-compact", "claude-code"), timeout: 25 },
    { event: "SessionEnd", command: commandOf(program, "session-end", "claude-code"), timeout: 60 },
  ];
}

/** The hooks of Codex. It takes no words before a compaction, only at the start behind it, and waits 3 s at the end. */
export function codexHooks(program: string): readonly Hook[] {
  return [
    { event: "SessionStart", command: commandOf(program, "session-start", "codex"), timeout: 15 },
    { event: "SessionEnd", command: `${commandOf(program, "session-end", "codex")} --limit 2.5`, timeout: 3 },
  ];
}

function commandOf(program: string, event: HookEvent, agent: Agent): string {
  return `${program} hook ${event} --from ${agent}`;
}
