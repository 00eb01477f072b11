import type { Span } from "./find-wrapped.ts";

/** Tags in which clients insert their own text into a user's message. */
const INJECTED =
  /<(\/?)(system-reminder|environment_context|environment_details|user_instructions|permissions instructions|ide_\w{1,40}|command-(?:name|message|args)|turn_aborted|local-command-\w{1,20}|bash-(?:input|stdout|stderr)|task-notification|skill|session-ledger|memories|likely-files)(?=[\s/>])[^<>]{0,400}>/g;

/** First line of a skill that Claude Code sends as a user message. The user's text follows at the end. */
const SKILL = /^\s*Base directory for this skill: /;
const SKILL_ARGUMENTS = "\nARGUMENTS: ";
/** Last lines of a skill in OpenCode. The user's text follows them. */
const SKILL_END = /\nBase directory for this skill: [^\n]{1,4096}\nRelative paths in this skill [^\n]{1,400}(?:\n|$)/;

/** A command that the user typed as a prompt, in the form in which Claude Code records it. */
const PROMPT_COMMAND =
  /^\s*<command-message>[^<]{0,400}<\/command-message>\s*<command-name>\s*([^<\s]{1,200})\s*<\/command-name>(?:\s*<command-args>([\s\S]*)<\/command-args>)?\s*$/;

interface Tag extends Span {
  readonly name: string;
  readonly isClose: boolean;
}

/**
 * A message without text inserted by clients: the request of the user, including quoted text, in contrast to
 * `readUserWords`. An unclosed tag stays, so that no request is lost.
 */
export function withoutInjected(message: string): string {
  const text = typedText(message);
  const tags = [...text.matchAll(INJECTED)].map(({ 0: tag, 1: slash, 2: name = "", index }): Tag => {
    return { name, isClose: slash !== "", start: index, end: index + tag.length };
  });
  const spans = [...Map.groupBy(tags, ({ name }) => name).values()].flatMap(injectedBy);
  let kept = "";
  let from = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    kept += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return kept + text.slice(from);
}

/** The user's text of a message: without the text of a skill, and a command with its arguments as it was typed. */
export function typedText(text: string): string {
  const [, command, args = ""] = PROMPT_COMMAND.exec(text) ?? [];
  if (command !== undefined) return `${command} ${args}`.trim();
  if (!SKILL.test(text)) {
    const end = SKILL_END.exec(text);
    return end === null ? text : text.slice(end.index + end[0].length).trim();
  }
  const at = text.lastIndexOf(SKILL_ARGUMENTS);
  return at < 0 ? "" : text.slice(at + SKILL_ARGUMENTS.length);
}

/** One span per pair of tags. If the tags are not paired, one span from the first opening to the last closing tag. */
function injectedBy(tags: readonly Tag[]): readonly Span[] {
  const first = tags.findIndex(({ isClose }) => !isClose);
  const last = tags.findLastIndex(({ isClose }) => isClose);
  const inside = first === -1 || last < first ? [] : tags.slice(first, last + 1);
  const isPaired = inside.every(({ isClose }, at) => isClose === (at % 2 === 1));
  if (!isPaired) return [{ start: inside[0]?.start ?? 0, end: inside.at(-1)?.end ?? 0 }];
  return inside.flatMap(({ start, isClose }, at) => (isClose ? [] : [{ start, end: inside[at + 1]?.end ?? start }]));
}
