import { formatNumber } from "./format.ts";
/** Texts of the sessions page: list, report and actions. */
export const sessionsCopy = {
  title: "Sessions",
  list: "All sessions",
  showList: "All sessions",
  search: "Search sessions",
  agent: "Agent",
  project: "Project",
  allAgents: "All agents",
  allProjects: "All projects",
  sort: "Order",
  sorts: { recent: "Newest", loss: "Most lost" },
  reading: (done: number, total: number) => `Reading sessions: ${formatNumber(done)} of ${formatNumber(total)}`,
  failed: (count: number) =>
    count === 1 ? "1 file couldn't be read." : `${formatNumber(count)} files couldn't be read.`,
  worst: "Worst compaction",
  worse: { words: "Found a compaction that lost more.", show: "Show it" },
  none: "No sessions match.",
  empty: {
    title: "No sessions yet",
    words:
      "Throughline looks for histories of Claude Code, Codex, OpenCode, Gemini CLI and Cline on this machine. Sessions of the server and its proxy appear here too.",
  },
  noCompaction: {
    title: "No compactions found",
    words: "None of your sessions was compacted. Choose one to see its windows.",
  },
  agents: {
    "claude-code": "Claude Code",
    codex: "Codex",
    opencode: "OpenCode",
    "gemini-cli": "Gemini CLI",
    cline: "Cline",
    throughline: "Throughline",
  } as Readonly<Record<string, string>>,
  loading: "Reading the session…",
  retry: "Try again",
  fill: (percent: number) => `${percent}% of the context window`,
  compactions: (count: number, gone: number) =>
    `${count === 1 ? "1 compaction" : `${formatNumber(count)} compactions`}${gone > 0 ? ` · ${formatNumber(gone)} gone` : ""}`,
  calls: (count: number) => (count === 1 ? "1 call" : `${formatNumber(count)} calls`),
  export: "Save as HTML",
  window: {
    title: (call: number) => `Window of call ${formatNumber(call)}`,
    sums: (recorded: string, unrecorded: string, total: string) =>
      `${recorded} in messages + ${unrecorded} not recorded (instructions, tools) = ${total} tokens by our count, before the reply.`,
    reported: (tokens: string) => `The provider reported ${tokens}.`,
    modes: { window: "As sent", changes: "Changes", note: "Handover note", payload: "Raw payload" },
    mode: "View",
    provider: "Provider",
    providers: { anthropic: "Anthropic", openai: "OpenAI", gemini: "Gemini" },
    compare: "Compare with call",
    changes: (from: number, to: number) => `From call ${formatNumber(from)} to call ${formatNumber(to)}`,
    changeNames: { kept: "kept", removed: "removed", added: "added" },
    changeSums: (kept: string, removed: string, added: string) =>
      `${kept} tokens kept, ${removed} removed, ${added} added.`,
    note: (tokens: string) => `Throughline's handover note at this point: ${tokens} tokens, no model.`,
    emptyNote: "Nothing to summarize before this call.",
    show: "Show all",
    hide: "Show less",
  },
  views: { items: "Before and after", requests: "Requests", now: "Window now" },
  view: "View",
  requests: {
    title: "Requests",
    call: (call: number) => `Call ${formatNumber(call)}`,
    size: (tokens: string, change: string) => `${tokens} tokens (${change})`,
    reported: (tokens: string, change: string, counted: string) =>
      `${tokens} tokens reported (${change}) · our count before the reply: ${counted}`,
    cache: (read: string, written: string) => `cache: ${read} read, ${written} written`,
    lost: (tokens: string, cause: string) => `${tokens} paid again: ${cause}`,
    compacted: "compacted",
    added: (role: string, count: number) => {
      const name = { user: "user message", assistant: "reply", tool: "tool result", system: "system message" }[role];
      const words = name ?? role;
      return `${formatNumber(count)} ${count === 1 ? words : words === "reply" ? "replies" : `${words}s`}`;
    },
    toolCalls: (count: number) => (count === 1 ? "1 tool call" : `${formatNumber(count)} tool calls`),
  },
  now: {
    title: "Window now",
    sums: (messages: string, tokens: string) =>
      `The next request has ${messages} messages with ${tokens} tokens, plus system prompt and tools. The chart shows the last call before its reply, without the few tokens of overhead per message.`,
    toolbar: "Edit the chosen messages",
    chosen: (count: number) => (count === 0 ? "Choose messages to edit" : `${formatNumber(count)} chosen`),
    roles: { user: "You", assistant: "Reply", tool: "Tool result", system: "System" } as Readonly<
      Record<string, string>
    >,
    states: { summary: "summary", masked: "taken out", pinned: "pinned", pruned: "masked by pruning" },
  },
  edits: {
    kinds: { pin: "Pin", mask: "Take out", release: "Unpin or put back" },
    bringBack: "Bring back",
    isBack: "in the window",
    unpin: "Unpin",
    apply: (act: "pin" | "mask" | "release" | "bringBack" | "unpin", count: number) => {
      const verb = {
        pin: "Pin",
        mask: "Take out",
        release: "Unpin or put back",
        bringBack: "Bring back",
        unpin: "Unpin",
      }[act];
      return `${verb} ${count === 1 ? "1 message" : `${formatNumber(count)} messages`}`;
    },
    cancel: "Cancel",
    note: (count: number, tokens: string, left: string) =>
      `${count === 1 ? "The message has" : "The messages have"} ${tokens} tokens; ${left} remain for the ${count === 1 ? "note that replaces it" : "notes that replace them"}.`,
    cached: "The prompt cache stays valid.",
    done: {
      pin: "Pinned. It stays in the window.",
      mask: "Taken out. A note with its handle replaces it.",
      release: "No longer pinned or taken out.",
    },
    undone: "The edit was undone.",
    title: "Edits",
    none: "No edits yet. Choose messages under Window now.",
    line: (kind: "pin" | "mask" | "release", count: number, before: string, after: string) =>
      `${{ pin: "Pinned", mask: "Took out", release: "Unpinned or put back" }[kind]} ${formatNumber(count)}: ${before} → ${after} tokens`,
  },
  acts: {
    title: "Compact this session",
    focus: "Focus",
    focusHint: "Topic to keep above all (optional)",
    keep: "Kept verbatim, tokens",
    target: "Summary, tokens",
    automatic: "automatic",
    whatIf: "What if …",
    budget: "Budget, tokens",
    profile: "Profile",
    profiles: { coding: "Coding", content: "Content", chat: "Chat" },
    model: "Model",
    own: "unchanged",
    threshold: (tokens: string) => `With these settings, a turn compacts automatically above ${tokens} tokens.`,
    preview: "Preview",
    compact: "Compact",
    undo: "Undo",
    nothing: "A compaction would save nothing.",
    sizes: (before: string, after: string) => `${before} → ${after} tokens.`,
    kept: (removed: number, kept: number) =>
      `${formatNumber(removed)} messages leave the window; ${formatNumber(kept)} stay, summary included.`,
    cache: (tokens: string) => `The next call writes about ${tokens} tokens to the prompt cache again.`,
    lost: "Would be lost",
    lossless: "No open request, rule, to-do or changed file would be lost.",
    summary: "Summary",
    done: "The session was compacted.",
    undone: "The compaction was undone. The window is as it was before.",
    layers: "Compactions",
    layer: (round: number, before: string, after: string) => `${formatNumber(round)}: ${before} → ${after} tokens`,
    isUndone: "undone",
    noLayers: "This session hasn't been compacted.",
  },
};
