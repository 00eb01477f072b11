import { formatCount, formatNumber, formatTokens } from "../chat/view/format.ts";

/** Texts of the request details, which use the technical words. */
export const requestCopy = {
  title: "Request details",
  loading: "Loading…",
  notLoaded: (reason: string) => `The requests couldn't be loaded. ${reason}`,
  empty: "No requests yet. Send a message to see here what the model gets.",
  turn: "Turn",
  lastTurn: "Last turn",
  turnsAgo: (count: number) => `${formatCount(count, "turn", "turns")} ago`,
  noModel: "No model selected",
  of: (limit: number) => `of ${formatTokens(limit)}`,
  totals: (model: string, counted: number, left: number) =>
    `${model} · counted ${formatNumber(counted)} · ${formatNumber(left)} left`,
  reserved: (tokens: number) => ` · ${formatNumber(tokens)} reserved for the reply`,
  item: "Item",
  tokens: "Tokens",
  showAll: (count: number) => `Show all ${formatNumber(count)}`,
  sources: (count: number) => `stands for ${formatCount(count, "source", "sources")}`,
  shortened: (count: number) => `${formatCount(count, "part", "parts")} shortened`,
  noReason: "No reason recorded.",
  recallAs: "Recall as",
  rules: {
    system: "System",
    memory: "Memory",
    task: "First request",
    summary: "Summary",
    continuation: "Continuation",
    tail: "Latest messages",
    repair: "Added to be legal",
  },
  counted: {
    title: "Counted",
    about: "Everything in the request, by part.",
    count: (count: number) => formatCount(count, "item", "items"),
  },
  injected: {
    title: "Injected",
    about: "Memories added to the system prompt, each with its reason.",
    count: (count: number) => formatCount(count, "memory", "memories"),
  },
  messages: (count: number) => formatCount(count, "message", "messages"),
  pruned: { title: "Pruned", about: "Messages with long parts cut or hidden." },
  compacted: { title: "Compacted", about: "Earlier messages replaced by the summary." },
  trimmed: { title: "Trimmed", about: "Messages left out because the context was full." },
  repairs: { title: "Repairs", about: "Changes that make the request valid for the model." },
  notes: { title: "Notes", about: "Remarks about this request." },
} as const;
