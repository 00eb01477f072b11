/** A range of a text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A fence is closed by one that is at least as long. Lengths above this are equal. */
const MAX_FENCE = 8;
/** Maximum characters to search for the end of an empty tag. */
const MAX_TAG = 400;

/** All tokens that can open or close a wrapper. Each alternative is linear. */
const TOKEN =
  /<!--|-->|<!\[CDATA\[|\]\]>|<\||<\?(?=[a-z])|\?>|^[ \t]*\/\*|\*\/|`{3,}|~{3,}|"{3,}|'{3,}|^[ \t]*`{1,2}[ \t]*$|(?:<|&lt;)\/?[\p{L}_][\p{L}\p{N}_.:-]{0,60}|\[\/?(?:quote|code|spoiler|inst|tool_results?|system)\b/gimu;
/** Inline code. A tag inside of it wraps nothing. */
const INLINE_CODE = /(?<!`)`[^`\n]+`(?!`)/g;
/** Tags that do not occur in sentences. Text after one is not trusted until the tag is closed. */
const WRAPPER =
  /^(?:context|memor(?:y|ies)|recalled?|retrieved|untrusted\w*|(?:system|tool|function|environment|search|web|user|local|command|bash|task|file|document)[-_][\w-]+)$/i;
/** Tags that are never closed. */
const VOID = /^(?:br|hr|img|input|meta|link|area|base|col|embed|source|track|wbr)$/i;
const PAIRS: Readonly<Record<string, string>> = { "-->": "<!--", "]]>": "<![CDATA[", "*/": "/*", "?>": "<?" };
const TAG = /^(?:<|&lt;)(?=[\p{L}_])/iu;

interface Token extends Span {
  /** The wrapper of the token: the bracket and the name of a tag, or the token itself. */
  readonly key: string;
  readonly kind: "open" | "close" | "fence";
  /** Length of a fence. */
  readonly size: number;
  readonly isInCode: boolean;
}

/** Counts of the remaining tokens of the same wrapper. */
interface NextTag {
  opened: number;
  closed: number;
  /** End of the last token that closes it. */
  lastEnd: number;
}

/**
 * Finds spans in tags, comments or fences. A wrapper extends to its last closing token, so that its content cannot end
 * it. An unclosed wrapper extends to the end of the text.
 */
export function findWrapped(text: string): readonly Span[] {
  const tokens = readTokens(text);
  const ahead = lookAhead(tokens);
  let spans: Span[] = [];
  let from = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.start < from) continue;
    if (token.kind === "close") {
      // A closing tag without an opening one ends something that began before this text.
      if (TAG.test(token.key) && isFirstInLine(text, token.start)) spans = [{ start: 0, end: token.end }];
      continue;
    }
    const end = token.kind === "fence" ? fenceEnd(tokens, at, text) : tagEnd(token, ahead[at], text);
    if (end === undefined) continue;
    spans.push({ start: token.start, end });
    from = end;
  }
  return spans;
}

function readTokens(text: string): readonly Token[] {
  const codes = [...text.matchAll(INLINE_CODE)].map(({ 0: code, index }) => ({
    start: index,
    end: index + code.length,
  }));
  let next = 0;
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    while ((codes[next]?.end ?? text.length) <= index) next += 1;
    const token = readToken(text, found, index, index >= (codes[next]?.start ?? text.length));
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function readToken(text: string, found: string, index: number, isInCode: boolean): Token | undefined {
  const sign = found.trim();
  const start = index + found.length - found.trimStart().length;
  const end = start + sign.length;
  const first = sign.charAt(0);
  const base = { start, end, size: 0, isInCode };
  if ("`~\"'".includes(first)) {
    return isInCode ? undefined : { ...base, key: first, kind: "fence", size: Math.min(sign.length, MAX_FENCE) };
  }
  const opened = PAIRS[sign];
  if (opened !== undefined) return { ...base, key: opened, kind: "close" };
  if (/^(?:<[!|?]|\/\*)/.test(sign)) return isInCode ? undefined : { ...base, key: sign, kind: "open" };
  const [, bracket = "", slash = "", name = ""] = /^(<|&lt;|\[)(\/?)(.+)$/i.exec(sign) ?? [];
  const key = `${bracket}${bracket === "[" ? name.toLowerCase() : name}`;
  if (slash === "") return isNameEnd(text, end, bracket) ? { ...base, key, kind: "open" } : undefined;
  const closing = { "<": ">", "[": "]" }[bracket] ?? "&gt;";
  return text.startsWith(closing, end) ? { ...base, end: end + closing.length, key, kind: "close" } : undefined;
}

/** True if the name of a tag ends at this position: not in `a@b.c`, `https://…` or `string, number`. */
function isNameEnd(text: string, end: number, bracket: string): boolean {
  if (bracket === "[") return /[\]=\s]/.test(text.charAt(end));
  return text.charAt(end - 1) !== ":" && (end >= text.length || /[\s/>&]/.test(text.charAt(end)));
}

/** Counts for each token, in one pass from the end. */
function lookAhead(tokens: readonly Token[]): readonly NextTag[] {
  const byKey = new Map<string, NextTag>();
  return tokens
    .toReversed()
    .map(({ key, kind, end }) => {
      const { opened, closed, lastEnd } = byKey.get(key) ?? { opened: 0, closed: 0, lastEnd: 0 };
      const isClose = kind === "close";
      const ahead = {
        opened: opened + (isClose ? 0 : 1),
        closed: closed + (isClose ? 1 : 0),
        lastEnd: isClose ? Math.max(lastEnd, end) : lastEnd,
      };
      byKey.set(key, ahead);
      return ahead;
    })
    .reverse();
}

function tagEnd(token: Token, ahead: NextTag | undefined, text: string): number | undefined {
  const { opened, closed, lastEnd } = ahead ?? { opened: 1, closed: 0, lastEnd: 0 };
  if (closed > 0) return closed >= opened || isMention(token, text) ? lastEnd : text.length;
  if (!TAG.test(token.key)) return text.length;
  const tag = text.slice(token.start, token.start + MAX_TAG);
  const end = tag.indexOf(">") + 1;
  if (end > 0 && (tag.charAt(end - 2) === "/" || VOID.test(nameOf(token)))) return token.start + end;
  return isMention(token, text) ? undefined : text.length;
}

/** End of the last fence that is long enough. An odd number leaves one open. */
function fenceEnd(tokens: readonly Token[], at: number, text: string): number {
  const { key = "", size = 0 } = tokens[at] ?? {};
  let count = 0;
  let end = text.length;
  for (let i = at; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token?.key !== key || token.size < size) continue;
    count += 1;
    end = token.end;
  }
  return count % 2 === 0 ? end : text.length;
}

function nameOf({ key }: Token): string {
  return key.replace(TAG, "");
}

/**
 * True for a tag that a sentence mentions, such as `never use <div> for buttons` or `Array<string>`, and not for one
 * that wraps a text.
 */
function isMention(token: Token, text: string): boolean {
  const { start, end, isInCode } = token;
  if (!TAG.test(token.key)) return false;
  if (isInCode) return true;
  if (WRAPPER.test(nameOf(token)) || isFirstInLine(text, start)) return false;
  if (/[\p{L}\p{N}_]/u.test(text.charAt(start - 1))) return true;
  const tag = /^[^<>\n]{0,100}>/.exec(text.slice(end, end + 101))?.[0];
  if (tag === undefined || tag.includes("=")) return false;
  const next = text.charAt(end + tag.length);
  const isAnnounced = text
    .slice(Math.max(0, start - 2), start)
    .trimEnd()
    .endsWith(":");
  return !isAnnounced && next !== "\n" && !/[\p{L}\p{N}]/u.test(next);
}

/** True if only white space, bullets and `>` precede the position in its line. */
function isFirstInLine(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i -= 1) {
    const char = text.charAt(i);
    if (char === "\n") return true;
    if (!/[\s>*+•-]/.test(char)) return false;
  }
  return true;
}
