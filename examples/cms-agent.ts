// An agent builds a site in a CMS with a window of 6,000 tokens: old outputs are masked, and compactions write the
// sections that content work needs. No key, no network: its models are scripts.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createThroughline, type Model, type Receipt } from "throughline";
import { persist, prepareStep } from "throughline/ai-sdk";
import { contentProfile, WorkingContext } from "throughline/compact";

// The CMS: long answers with random ids.
const topics = "bread cakes coffee story team jobs events press shop contact".split(" ");
const idOf = (kind: string, of: string) => `${kind}_${createHash("sha256").update(of).digest("hex").slice(0, 10)}`;
const html = (topic: string) => `<p class="lead">All about our ${topic}.</p>\n`.repeat(60);
const input = <T>(field: string, type: object = { type: "string" }) =>
  jsonSchema<T>({ type: "object", properties: { [field]: type }, required: [field] });
let navigation: string[] = [];
const tools = {
  search_templates: tool({
    inputSchema: input<{ query: string }>("query"),
    execute: async ({ query }) => topics.map((topic) => `${query}-${topic}: a page with a hero`).join("\n"),
  }),
  create_page: tool({
    inputSchema: input<{ topic: string }>("topic"),
    execute: async ({ topic }) => ({ pageId: idOf("page", topic), slug: `/${topic}`, html: html(topic) }),
  }),
  add_section: tool({
    inputSchema: input<{ pageId: string }>("pageId"),
    execute: async ({ pageId }) => ({ sectionId: idOf("section", pageId), type: "hero", html: html("hero") }),
  }),
  set_navigation: tool({
    inputSchema: input<{ pageIds: string[] }>("pageIds", { type: "array", items: { type: "string" } }),
    execute: async ({ pageIds }) => {
      navigation = pageIds;
      return `${pageIds.length} pages are in the navigation`;
    },
  }),
};

// The model of the agent: it knows only what is in its window.
let calls = 0;
const model = new MockLanguageModelV4({
  modelId: "gpt-4o",
  doGenerate: async ({ prompt }) => {
    const step = nextStep(JSON.stringify(prompt), JSON.stringify(prompt.at(-1)));
    const unified = step.type === "text" ? ("stop" as const) : ("tool-calls" as const);
    const usage = {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
    return { content: [step], finishReason: { unified, raw: unified }, usage, warnings: [] };
  },
});

function nextStep(window: string, last: string) {
  const call = (toolName: string, args: object) => {
    calls += 1;
    return { type: "tool-call" as const, toolCallId: `call_${calls}`, toolName, input: JSON.stringify(args) };
  };
  const pageIds = [...new Set(window.match(/page_\w{10}/g))];
  const [made] = /page_\w{10}/.exec(last) ?? [];
  if (last.includes("Build a site")) return call("search_templates", { query: "bakery" });
  if (last.includes("into the navigation")) return call("set_navigation", { pageIds });
  if (made !== undefined) return call("add_section", { pageId: made });
  const topic = topics.find((one) => !pageIds.includes(idOf("page", one)));
  if (last.includes("tool-result") && topic !== undefined) return call("create_page", { topic });
  return { type: "text" as const, text: "Done." };
}

// The model that writes summaries. It names no ids; Throughline's record beside the summary does.
const words = ["A site for a bakery.", "All pages are made.", "A warm tone.", "The navigation.", "No errors."];
const summarizer: Model = {
  modelId: "gpt-4o-mini",
  generate: async () => ({
    text: contentProfile.sections.map(({ title }, index) => `### ${title}\n${words[index]}`).join("\n\n"),
  }),
};

// The agent knows a tool only while the window mentions it.
const workingContext = new WorkingContext();
workingContext.discover(...Object.keys(tools));
const toolsInView = () => workingContext.discoveredTools.join(", ") || "none";
const throughline = await createThroughline({ model: summarizer });
const session = throughline.session("bakery", { modelId: "gpt-4o", profile: "content", workingContext });
session.on(({ type, data }) => {
  if (type === "prune:complete") console.log(`masked: ${data.outputsPruned} outputs, ${data.tokensSaved} tokens less`);
  if (type === "compaction:complete")
    console.log(`compacted: ${data.tokensBefore} → ${data.tokensAfter} tokens; tools in view: ${toolsInView()}`);
});
const ask = (content: string) =>
  generateText({
    model,
    tools,
    instructions: "You are a content agent.",
    messages: [{ role: "user", content }],
    stopWhen: isStepCount(40),
    prepareStep: prepareStep(session, { budget: 6_000 }),
    onStepEnd: persist(session),
  });

await ask(`Build a site for my bakery: a page each for ${topics.join(", ")}, each with a hero. I want a warm tone.`);
await ask("Good. Never use stock photos.");
// By hand, up to the last message: from here on, the agent has only the summary.
const compaction = await session.compact({ keepTokens: 0 });
await ask("Now put all pages into the navigation.");

/** Reason and tokens of each item in the window. */
function table({ items }: Receipt) {
  const byRule = Object.groupBy(items, ({ rule }) => rule);
  return Object.entries(byRule).map(([rule, of]) => ({
    rule,
    messages: of.length,
    tokens: of.reduce((sum, { tokens }) => sum + tokens, 0),
    "masked outputs": of.reduce((sum, { shortened = [] }) => sum + shortened.length, 0),
  }));
}

const receipts = await session.receipts();
const before = receipts.findLast(({ items }) => items.some(({ shortened }) => shortened !== undefined));
const after = receipts.at(-1);
assert.ok(compaction && before && after);
console.log(`\n${compaction.summary}\n\n${calls} calls of tools. A window of the work, and the last one:`);
for (const receipt of [before, after]) console.table(table(receipt));

for (const { title } of contentProfile.sections) assert.ok(compaction.summary.includes(`### ${title}\n`));
for (const topic of topics) assert.ok(compaction.summary.includes(idOf("page", topic)));
assert.match(compaction.summary, /Never use stock photos/);
assert.equal(toolsInView(), "none");
assert.deepEqual(new Set(navigation), new Set(topics.map((topic) => idOf("page", topic))));
assert.ok(receipts.every(({ tokens, budget }) => tokens <= budget));
