import process from "node:process";
import { parseArgs } from "node:util";
import type { Message } from "../../packages/throughline/src/message/message.ts";
import { countTokens } from "../../packages/throughline/src/tokens/count-tokens.ts";
import { printTable } from "../print-table.ts";
import { LaterNames } from "./later-names.ts";
import { halfOf } from "./session-half.ts";
import { runsCommand, type SessionStart, scriptsOf, sessionStarts } from "./session-starts.ts";

const USAGE = "Usage: npm run bench -- context start --data FOLDER [--show]\n";
const GOAL = 0.6;

/** Tokens of lines, and of those that the session uses. */
interface Tally {
  tokens: number;
  named: number;
  used: number;
}

/**
 * Measures the text at session start line by line: the share of its tokens in lines that the session uses later. A line
 * is used if it has a name that is typed later, or a command that is run later.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, show: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const all: Tally = { tokens: 0, named: 0, used: 0 };
  const halves = [0, 1].map(() => ({ starts: 0, tokens: 0, named: 0, used: 0 }));
  const sections = new Map<string, Tally>();
  let starts = 0;
  let blocks = 0;
  for await (const start of sessionStarts(values.data)) {
    starts += 1;
    const half = halves[halfOf(start.point.session.id)];
    if (half !== undefined) half.starts += 1;
    blocks += start.assembled.tokenCount;
    for (const line of measureLines(start.assembled.context, start.point.after)) {
      for (const tally of [all, ...(half === undefined ? [] : [half]), tallyOf(sections, line.section)])
        add(tally, line);
    }
    if (values.show) show(start);
  }
  const rows = [...sections].toSorted(([, a], [, b]) => b.tokens - a.tokens);
  printTable(
    ["section", "tokens per session", "used later", "by names alone"],
    [...rows, ["all lines", all] as const].map(([name, tally]) => cells(name, tally, starts)),
  );
  for (const [at, half] of halves.entries()) {
    const [name, tokens, used] = cells(`half ${at}`, half, half.starts);
    console.log(`${name} (${half.starts} sessions): ${used} of ${tokens} tokens used`);
  }
  const share = all.used / Math.max(1, all.tokens);
  console.log(
    `${starts} sessions; ${Math.round(blocks / starts)} tokens per session with headings, ` +
      `${Math.round(all.used / starts)} in used lines; goal (${100 * GOAL}%): ${share >= GOAL ? "reached" : "missed"}.`,
  );
  return share >= GOAL ? 0 : 1;
}

interface MeasuredLine {
  readonly line: string;
  readonly section: string;
  readonly tokens: number;
  readonly isNamed: boolean;
  readonly isUsed: boolean;
}

/**
 * Lines of the items in a context, with the heading above them. The first line of an item of several lines is its
 * title: it is used if one of the others is.
 */
function measureLines(context: string, after: readonly Message[]): readonly MeasuredLine[] {
  const later = new LaterNames(after, false);
  const scripts = scriptsOf(after);
  const isRun = (line: string): boolean =>
    commandsIn(line).some((command) => scripts.some((script) => runsCommand(script, command)));
  return itemsOf(context).flatMap(({ section, lines }) => {
    const measured = lines.map((line) => {
      const isNamed = later.isNamedIn(line);
      return { line, section, tokens: countTokens(`${line}\n`), isNamed, isUsed: isNamed || isRun(line) };
    });
    const [title, ...others] = measured;
    if (title === undefined || others.length === 0) return measured;
    const isNamed = measured.some((line) => line.isNamed);
    return [{ ...title, isNamed, isUsed: measured.some(({ isUsed }) => isUsed) }, ...others];
  });
}

/** Prints the lines of a context. Lines that the session uses have a "+". */
function show({ point, assembled }: SessionStart): void {
  console.log(`\n=== ${point.session.id}, branch ${point.signals.branch ?? "unknown"}`);
  let last = "";
  for (const { line, section, isUsed } of measureLines(assembled.context, point.after)) {
    if (section !== last) console.log(section);
    last = section;
    console.log(`${isUsed ? "+" : " "} ${line}`);
  }
}

/** Items of a context, each with its lines and the heading above it. */
function itemsOf(context: string): readonly { readonly section: string; readonly lines: readonly string[] }[] {
  const items: { readonly section: string; readonly lines: string[] }[] = [];
  let section = "";
  for (const line of context.split("\n").slice(2, -1)) {
    if (line.startsWith("- ")) items.push({ section, lines: [line] });
    else if (line.startsWith("  ")) items.at(-1)?.lines.push(line);
    else section = line;
  }
  return items;
}

/** Commands of a line: in backticks, or the whole line, without a leading step name. */
function commandsIn(line: string): readonly string[] {
  const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command);
  const whole = line.replace(/^(?:- | {2})\s*/, "").replace(/^[a-z-]+: /, "");
  const bare = whole.replace(/\s+(?:-m\s+)?["']?(?:\$\{\w+\}|…)["']?$/, "");
  return [...quoted, ...(/\s/.test(bare) ? [bare] : [])];
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? { tokens: 0, named: 0, used: 0 };
  tallies.set(name, tally);
  return tally;
}

function add(tally: Tally, { tokens, isNamed, isUsed }: MeasuredLine): void {
  tally.tokens += tokens;
  if (isNamed) tally.named += tokens;
  if (isUsed) tally.used += tokens;
}

function cells(name: string, { tokens, named, used }: Tally, starts: number): string[] {
  const share = (part: number): string => `${((100 * part) / Math.max(1, tokens)).toFixed(1)}%`;
  return [name, String(Math.round(tokens / starts)), share(used), share(named)];
}
