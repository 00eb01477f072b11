import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../ensure/ensure-built.mjs";
import { root } from "../run/paths.mjs";
import { runTool } from "../run/run-tool.mjs";
import { scriptedSession } from "./scripted-session.mjs";

// Draws docs/images/window.svg: a window before and after a compaction, with the receipt. Every number comes from a run
// of the built library: a scripted session of a coding agent in a window of 64,000 tokens, without a model.

const LIMIT = 64_000;
const MODEL = "gpt-4o";
const SYSTEM = "You are a careful engineer. You work in the repository of a web shop.";
const MEMORY = "Discount tests also check the tax.";

/** @typedef {"system" | "memory" | "user" | "assistant" | "tool" | "summary"} Kind */

const KINDS = /** @type {const} */ ([
  ["system", "system"],
  ["memory", "memories"],
  ["user", "user messages"],
  ["summary", "summary"],
  ["assistant", "assistant and tool calls"],
  ["tool", "tool results"],
]);

const WIDTH = 900;
const MARGIN = 28;
const BAR_WIDTH = WIDTH - 2 * MARGIN;
const ROW_HEIGHT = 20;

async function measure() {
  const { createThroughline } = await import("throughline");
  const tl = await createThroughline({ clock: { now: () => 0 } });
  await tl.memory.remember({ text: MEMORY });
  const session = tl.session("checkout", { modelId: MODEL, contextLimit: LIMIT });
  await session.append(scriptedSession());
  // Large enough to keep everything unchanged.
  const roomy = tl.session("roomy", { modelId: MODEL, contextLimit: 1_000_000 });
  await roomy.append(scriptedSession());
  const before = await roomy.prepare({ system: SYSTEM });
  const after = await session.prepare({ system: SYSTEM, memory: true });
  const [compaction] = await session.compactions();
  const messages = (await session.history()).length;
  return { before, after, messages, compaction };
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Measured */
/** @typedef {Measured["after"]["receipt"]} Receipt */

/**
 * Tokens by kind, in the order of the legend.
 *
 * @param {Receipt} receipt
 */
function tokensByKind({ items }) {
  return KINDS.flatMap(([kind, label]) => {
    const tokens = items.filter((item) => kindOf(item) === kind).reduce((sum, item) => sum + item.tokens, 0);
    return tokens === 0 ? [] : [{ kind, label, tokens }];
  });
}

/**
 * @param {Receipt["items"][number]} item
 * @returns {Kind}
 */
function kindOf({ rule, role }) {
  if (rule === "system" || rule === "memory" || rule === "summary") return rule;
  return rule === "continuation" ? "summary" : role;
}

const LIGHT = { card: "#ffffff", paper: "#f6f8fa", ink: "#1f2328", note: "#59636e", line: "#cf222e" };

const DARK = { card: "#0d1117", paper: "#161b22", ink: "#e6edf3", note: "#9198a1", line: "#ff7b72" };

const STYLE = `<style>
text{font:13px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.title{font-weight:600}.note{font-size:12px}.end{text-anchor:end}
.code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.limit{stroke-width:2;stroke-dasharray:4 3}
.system{fill:#8c959f}.memory{fill:#bf8700}.user{fill:#1a7f37}.summary{fill:#8250df}.assistant{fill:#0969da}.tool{fill:#9fb8d0}
${rules(LIGHT)}
@media (prefers-color-scheme:dark){${rules(DARK)}.tool{fill:#44607c}.assistant{fill:#388bfd}.summary{fill:#a371f7}.user{fill:#3fb950}}
</style>`;

/** @param {Measured} measured */
function draw(measured) {
  const { before, after, messages, compaction } = measured;
  const scale = BAR_WIDTH / before.tokens.final;
  const limit = MARGIN + LIMIT * scale;
  const receipt = receiptLines(measured);
  const top = 246;
  const height = top + 44 + receipt.length * ROW_HEIGHT + 14;
  const undo = `${count(compaction?.compactedMessageIds.length ?? 0)} of ${messages} messages became one summary`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="A window of ${count(before.tokens.final)} tokens becomes one of ${count(after.tokens.final)}, with a receipt for each item">
${STYLE}
<rect class="card" width="${WIDTH}" height="${height}" rx="10"/>
${text(MARGIN, 38, `Before: ${count(before.tokens.final)} tokens in ${messages} messages`, "title")}
${bar(52, tokensByKind(before.receipt), scale)}
<line class="limit" x1="${limit}" y1="46" x2="${limit}" y2="88"/>
${text(limit, 40, `limit ${count(LIMIT)}`, "note end")}
${legend(104, tokensByKind(before.receipt))}
${text(MARGIN, 152, `After: ${count(after.tokens.final)} tokens, ${undo}`, "title")}
${bar(166, tokensByKind(after.receipt), scale)}
${legend(218, tokensByKind(after.receipt))}
<rect class="paper" x="${MARGIN}" y="${top}" width="${BAR_WIDTH}" height="${height - top - 18}" rx="6"/>
${receipt.map((line, index) => row(top + 28 + index * ROW_HEIGHT + (index > 0 ? 6 : 0), line)).join("\n")}
</svg>
`;
}

/**
 * @param {number} y
 * @param {ReturnType<typeof tokensByKind>} parts
 * @param {number} scale pixels for a token
 */
function bar(y, parts, scale) {
  let x = MARGIN;
  return parts
    .map(({ kind, tokens }) => {
      const width = Math.max(1.5, tokens * scale);
      const drawn = `<rect class="${kind}" x="${round(x)}" y="${y}" width="${round(width)}" height="30"/>`;
      x += width;
      return drawn;
    })
    .join("\n");
}

/**
 * @param {number} y
 * @param {ReturnType<typeof tokensByKind>} parts
 */
function legend(y, parts) {
  let x = MARGIN;
  return parts
    .map(({ kind, label, tokens }) => {
      const words = `${label} ${count(tokens)}`;
      const drawn = `<rect class="${kind}" x="${round(x)}" y="${y - 10}" width="10" height="10" rx="2"/>${text(x + 15, y, words, "note")}`;
      x += 33 + widthOf(words);
      return drawn;
    })
    .join("\n");
}

/**
 * Approximate width of a text in the small font, in pixels.
 *
 * @param {string} words
 */
function widthOf(words) {
  return [...words].reduce((sum, letter) => sum + (/[ilt,. ]/.test(letter) ? 4 : /[mw]/.test(letter) ? 11 : 7.2), 0);
}

/** @typedef {readonly [rule: string, role: string, tokens: string, source: string, kind?: Kind]} Row */

/**
 * The receipt as a person reads it.
 *
 * @param {Measured} measured
 * @returns {Row[]}
 */
function receiptLines({ after: { receipt }, compaction }) {
  const { id, modelId, budget, tokens, items, nearMisses } = receipt;
  const rows = items.map((item) => {
    const source = item.messageId.replace(/^checkout\//, "");
    return /** @type {const} */ ([item.rule, item.role, count(item.tokens), sourceOf(item, source), kindOf(item)]);
  });
  const [miss] = nearMisses;
  const left = `${nearMisses.length} near misses, e.g. ${miss?.messageId.replace(/^checkout\//, "")} (${count(miss?.tokens ?? 0)} tokens, ${miss?.reason})`;
  return [
    [`receipt ${id}`, "", "", `${modelId}, ${count(tokens)} of ${count(budget)} tokens`],
    ...rows,
    ["", "", "", left],
    ["", "", "", `undo: await session.restore("${compaction?.id}")`],
  ];
}

/**
 * @param {Receipt["items"][number]} item
 * @param {string} source
 */
function sourceOf({ rule, sources = [], reasons = {} }, source) {
  if (rule === "summary") return `stands for ${sources.length} messages, all can be read again`;
  if (rule === "memory") return `“${MEMORY}” (${Object.values(reasons)[0]})`;
  if (rule === "task") return `message ${source}, word for word`;
  if (rule === "system") return "the system prompt";
  return rule === "tail" ? `message ${source}` : "asks the model to continue";
}

/**
 * @param {number} y
 * @param {Row} row
 */
function row(y, [rule, role, tokens, source, kind]) {
  const x = MARGIN + 16;
  const mark = kind === undefined ? "" : `<rect class="${kind}" x="${x}" y="${y - 9}" width="4" height="11"/>`;
  const isTitle = role === "" && rule !== "";
  return [
    mark,
    text(x + 12, y, rule, isTitle ? "title" : "code"),
    text(x + 118, y, role, "code"),
    text(x + 268, y, tokens, "code end"),
    text(x + 292, y, source, kind === undefined ? "note" : "code"),
  ].join("");
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} look
 */
function text(x, y, words, look) {
  if (words === "") return "";
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text class="${look}" x="${round(x)}" y="${y}">${escaped}</text>`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString("en-US");
}

/** @param {typeof LIGHT} colors */
function rules({ card, paper, ink, note, line }) {
  return `.card{fill:${card}}.paper{fill:${paper}}text{fill:${ink}}.note{fill:${note}}.limit{stroke:${line}}`;
}

await runTool(async () => {
  await ensureBuilt();
  writeFileSync(join(root, "docs/images/window.svg"), draw(await measure()));
});
