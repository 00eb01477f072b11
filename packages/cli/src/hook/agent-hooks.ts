import type { Hook } from "../init/hook-file.ts";

/** Agents that run Throughline as hooks. */
export const HOOK_AGENTS = ["claude-code", "codex", "gemini-cli", "opencode"] as const;
export type Agent = (typeof HOOK_AGENTS)[number];

/** Hook events that Throughline handles. */
export const HOOK_EVENTS = ["session-start", "pre-compact", "session-end"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Timeout of a hook in seconds; the agent waits a little longer before it kills it. */
export const TIMEOUTS: Readonly<Record<HookEvent, number>> = {
  "session-start": 10,
  "pre-compact": 20,
  "session-end": 50,
};

/**
 * The hooks of Claude Code. The output of `PreCompact` becomes instructions for the summary. `SessionEnd` waits 1.5 s
 * by default and at most one minute.
 */
export function claudeCodeHooks(program: string): readonly Hook[] {
  return [
    { event: "SessionStart", command: commandOf(program, "session-start", "claude-code"), timeout: 15 },
    { event: "PreCompact", command: commandOf(program, "pre-compact", "claude-code"), timeout: 25 },
    { event: "SessionEnd", command: commandOf(program, "session-end", "claude-code"), timeout: 60 },
  ];
}

/**
 * The hooks of Codex. It accepts no text before a compaction, only at the session start after it, and waits 3 s at the
 * end.
 */
export function codexHooks(program: string): readonly Hook[] {
  return [
    { event: "SessionStart", command: commandOf(program, "session-start", "codex"), timeout: 15 },
    { event: "SessionEnd", command: `${commandOf(program, "session-end", "codex")} --timeout 2.5`, timeout: 3 },
  ];
}

/**
 * The hooks of Gemini CLI, with timeouts in milliseconds. It accepts no text around a compaction, and does not wait at
 * the end.
 */
export function geminiHooks(program: string): readonly Hook[] {
  return [
    { event: "SessionStart", command: commandOf(program, "session-start", "gemini-cli"), timeout: 15_000 },
    { event: "SessionEnd", command: commandOf(program, "session-end", "gemini-cli"), timeout: 60_000 },
  ];
}

function commandOf(program: string, event: HookEvent, agent: Agent): string {
  return `${program} hook ${event} --agent ${agent}`;
}
