import { isRecord, sameJson } from "../message/read-json.ts";
import {
  applyInsertions,
  type Insertion,
  insertEntry,
  isContainer,
  layoutOf,
  removeEntry,
  renderJson,
} from "./jsonc/edit-jsonc.ts";
import { type JsonNode, type JsonProperty, parseJsonc, plainValue, propertyOf } from "./jsonc/parse-jsonc.ts";

/** A command that an agent runs when something happens, in the form that Claude Code and Codex share. */
export interface Hook {
  /** The name of what happens: `SessionStart`. */
  readonly event: string;
  readonly command: string;
  /** Seconds after which the agent stops waiting. */
  readonly timeout: number;
}

/** The text with the hooks in it, and what was put in; or why nothing can be put into this one. */
export type HookEdit =
  | { readonly text: string; readonly insertions: readonly Insertion[] }
  | { readonly text?: undefined; readonly problem: string };

/** A command of ours, whatever stands before it and wherever it is installed. */
const OURS = / hook (?:pre-compact|session-start|session-end) --from (?:claude-code|codex|opencode)\b/;

/**
 * Adds hooks to a file of settings. Everything that is there stays where and as it is; ours that are there already and
 * say something else are replaced.
 *
 * @param text the file; "" where there is none
 */
export function addHooks(text: string, hooks: readonly Hook[]): HookEdit {
  if (text.trim() === "") return fill(text, hooks);
  const problem = problemWith(text);
  if (problem !== undefined) return { problem };
  if (hasHooks(text, hooks)) return { text, insertions: [] };
  let now = removeHooks(text);
  const insertions: Insertion[] = [];
  for (const hook of hooks) {
    const added = insertHook(now, hook);
    now = applyInsertions(now, added);
    insertions.push(...added);
  }
  return { text: now, insertions };
}

/** What keeps hooks from being added, or taken out: the file is broken, or says something else than an agent reads. */
export function problemWith(text: string): string | undefined {
  const parsed = parseJsonc(text);
  if (parsed.node === undefined) return `It is no valid JSON: in line ${parsed.line}, ${parsed.problem}.`;
  if (parsed.node.type !== "object") return "It holds no object.";
  const hooks = propertyOf(parsed.node, "hooks");
  if (hooks === undefined) return undefined;
  if (hooks.value.type !== "object") return "Its hooks are no object.";
  const odd = hooks.value.children.find(({ value }) => value.type !== "list");
  return odd && `Its hooks for ${odd.key} are no list.`;
}

/** Whether exactly these hooks of ours are in a file. */
export function hasHooks(text: string, hooks: readonly Hook[]): boolean {
  const found = findOurs(text).map(({ event, hook }) => [event, hook]);
  return sameJson(found.toSorted(byEvent), hooks.map((hook) => [hook.event, settingOf(hook)]).toSorted(byEvent));
}

function byEvent([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

/** The text without any hook of ours, and without what held nothing else. */
export function removeHooks(text: string): string {
  let now = text;
  for (let [ours] = findOurs(now); ours !== undefined; [ours] = findOurs(now)) now = removeAt(now, ours.path);
  return now;
}

interface OurHook {
  readonly event: string;
  readonly hook: unknown;
  /** Names and indices that lead to it. */
  readonly path: readonly (string | number)[];
}

function findOurs(text: string): readonly OurHook[] {
  const { node } = parseJsonc(text);
  const hooks = node && propertyOf(node, "hooks")?.value;
  if (hooks?.type !== "object") return [];
  return hooks.children.flatMap(({ key: event, value: groups }) =>
    listOf(groups).flatMap((group, g) =>
      listOf(propertyOf(group, "hooks")?.value).flatMap((node, h) => {
        const hook = plainValue(node);
        const isOurs = isRecord(hook) && typeof hook.command === "string" && OURS.test(hook.command);
        return isOurs ? [{ event, hook, path: ["hooks", event, g, "hooks", h] }] : [];
      }),
    ),
  );
}

function listOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "list" ? node.children : [];
}

/** Takes out what a path leads to, and what is empty without it. */
function removeAt(text: string, path: readonly (string | number)[]): string {
  const containers: JsonNode[] = [];
  let node = parseJsonc(text).node;
  for (const step of path) {
    if (!isContainer(node)) return text;
    containers.push(node);
    node = childAt(node, step);
  }
  // What holds only this one goes with it. A group of hooks says for what they are beside holding them.
  let depth = path.length - 1;
  while (depth > 0 && holdsNothingElse(containers[depth])) depth -= 1;
  const container = containers[depth];
  if (!isContainer(container)) return text;
  return removeEntry(text, container, indexOf(container, path[depth] ?? 0));
}

function holdsNothingElse(node: JsonNode | undefined): boolean {
  if (!isContainer(node)) return false;
  if (node.type === "list") return node.children.length === 1;
  return node.children.every(({ key }) => key === "hooks" || key === "matcher") || node.children.length === 1;
}

function childAt(node: JsonNode, step: string | number): JsonNode | undefined {
  if (node.type === "list") return node.children[Number(step)];
  return propertyOf(node, String(step))?.value;
}

function indexOf(node: JsonNode, step: string | number): number {
  if (node.type !== "object") return Number(step);
  return node.children.findLastIndex((child: JsonProperty) => child.key === step);
}

function settingOf({ command, timeout }: Hook): object {
  return { type: "command", command, timeout };
}

function groupOf(hook: Hook): object {
  return { hooks: [settingOf(hook)] };
}

/** Puts all of it into a file that holds nothing. */
function fill(text: string, hooks: readonly Hook[]): HookEdit {
  const layout = layoutOf(text);
  const events = Object.fromEntries(hooks.map((hook) => [hook.event, [groupOf(hook)]]));
  const whole = `${renderJson({ hooks: events }, layout)}\n`.replaceAll("\n", layout.lineBreak);
  const insertions = [{ at: text.length, text: whole }];
  return { text: applyInsertions(text, insertions), insertions };
}

function insertHook(text: string, hook: Hook): readonly Insertion[] {
  const { node } = parseJsonc(text);
  const layout = layoutOf(text);
  const hooks = propertyOf(node, "hooks")?.value;
  const groups = propertyOf(hooks, hook.event)?.value;
  if (groups?.type === "list") return insertEntry(text, groups, renderJson(groupOf(hook), layout), layout);
  const ofEvent = { [hook.event]: [groupOf(hook)] };
  if (hooks?.type === "object") return insertEntry(text, hooks, propertyText(ofEvent), layout);
  if (node?.type !== "object") return [];
  return insertEntry(text, node, propertyText({ hooks: ofEvent }), layout);

  function propertyText(property: object): string {
    const [[key, value] = ["", undefined]] = Object.entries(property);
    return `${JSON.stringify(key)}: ${renderJson(value, layout)}`;
  }
}
