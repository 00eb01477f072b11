import { isRecord, sameJson } from "throughline/internal";
import {
  applyInsertions,
  fillText,
  type Insertion,
  insertEntry,
  layoutOf,
  renderJson,
  renderProperty,
  type TextEdit,
} from "./jsonc/edit-jsonc.ts";
import { type JsonNode, parseJsonc, plainValue, problemWithObject, propertyOf } from "./jsonc/parse-jsonc.ts";
import { type JsonPath, removeAt } from "./jsonc/remove-at.ts";

/** A command that an agent runs when something happens, in the form that Claude Code and Codex share. */
export interface Hook {
  /** The name of what happens: `SessionStart`. */
  readonly event: string;
  readonly command: string;
  /** Seconds after which the agent stops waiting. */
  readonly timeout: number;
}

/** A command of ours, whatever stands before it and wherever it is installed. */
const OURS = / hook (?:pre-compact|session-start|session-end) --from (?:claude-code|codex|opencode)\b/;

/**
 * Adds hooks to a file of settings. Everything that is there stays where and as it is; ours that are there already and
 * say something else are replaced.
 *
 * @param text the file; "" where there is none
 */
export function addHooks(text: string, hooks: readonly Hook[]): TextEdit {
  if (text.trim() === "") return fillText(text, { hooks: Object.fromEntries(hooks.map(eventOf)) });
  const problem = problemWithHooks(text);
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
export function problemWithHooks(text: string): string | undefined {
  const hooks = propertyOf(parseJsonc(text).node, "hooks");
  if (hooks === undefined) return problemWithObject(text);
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
  for (let [ours] = findOurs(now); ours !== undefined; [ours] = findOurs(now)) {
    now = removeAt(now, ours.path, holdsOneHook);
  }
  return now;
}

interface OurHook {
  readonly event: string;
  readonly hook: unknown;
  readonly path: JsonPath;
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

/** A group of hooks says for what they are beside holding them. */
function holdsOneHook(node: JsonNode): boolean {
  if (node.type === "scalar") return false;
  if (node.type === "list") return node.children.length === 1;
  return node.children.every(({ key }) => key === "hooks" || key === "matcher") || node.children.length === 1;
}

function settingOf({ command, timeout }: Hook): object {
  return { type: "command", command, timeout };
}

function groupOf(hook: Hook): object {
  return { hooks: [settingOf(hook)] };
}

function eventOf(hook: Hook): [string, readonly object[]] {
  return [hook.event, [groupOf(hook)]];
}

function insertHook(text: string, hook: Hook): readonly Insertion[] {
  const { node } = parseJsonc(text);
  const layout = layoutOf(text);
  const hooks = propertyOf(node, "hooks")?.value;
  const groups = propertyOf(hooks, hook.event)?.value;
  if (groups?.type === "list") return insertEntry(text, groups, renderJson(groupOf(hook), layout), layout);
  const [event, ofEvent] = eventOf(hook);
  if (hooks?.type === "object") return insertEntry(text, hooks, renderProperty(event, ofEvent, layout), layout);
  if (node?.type !== "object") return [];
  return insertEntry(text, node, renderProperty("hooks", { [event]: ofEvent }, layout), layout);
}
