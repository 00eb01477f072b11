import { isRecord } from "../internal/json.ts";
import type { Message } from "./message.ts";
import type { Part, ProviderOptions } from "./part.ts";

/** Anthropic refuses requests with more cache marks than this. */
export const MAX_CACHE_MARKS = 4;
/** Names of the mark: in the AI SDK, and in Anthropic's own format. */
const MARKS: readonly string[] = ["cacheControl", "cache_control"];

/** Position of a cache mark: on a whole message (without `part`), on a part, or on its tool output. */
export interface CacheMark {
  readonly message: number;
  readonly part?: number;
  readonly isOutput?: boolean;
}

/** Positions of all cache marks of a window, in its order. */
export function findCacheMarks(messages: readonly Message[]): readonly CacheMark[] {
  return messages.flatMap(({ parts, providerOptions }, message) => [
    ...parts.flatMap((one, part): CacheMark[] => [
      ...(hasMark(outputOptions(one)) ? [{ message, part, isOutput: true }] : []),
      ...(hasMark(one.providerOptions) ? [{ message, part }] : []),
    ]),
    ...(hasMark(providerOptions) ? [{ message }] : []),
  ]);
}

/**
 * The window without the cache marks that are too many: a mark of the system messages stays, then the newest ones,
 * which cover everything before them.
 */
export function limitCacheMarks(messages: readonly Message[]): readonly Message[] {
  const marks = findCacheMarks(messages);
  if (marks.length <= MAX_CACHE_MARKS) return messages;
  const [first] = marks;
  const isSystem = first !== undefined && messages[first.message]?.role === "system";
  const dropped = marks.slice(isSystem ? 1 : 0, isSystem ? 1 - MAX_CACHE_MARKS : -MAX_CACHE_MARKS);
  const byMessage = Map.groupBy(dropped, ({ message }) => message);
  return messages.map((message, index) => {
    const own = byMessage.get(index);
    return own === undefined ? message : own.reduce(withoutMark, message);
  });
}

/** Without its token count, as after any change of parts. */
function withoutMark({ tokens: _, ...message }: Message, { part: at, isOutput = false }: CacheMark): Message {
  if (at === undefined) return withOptions(message, unmarked(message.providerOptions));
  const part = message.parts[at];
  if (part === undefined) return message;
  const changed: Part =
    isOutput && part.type === "tool-result"
      ? { ...part, output: withOptions(part.output, unmarked(part.output.providerOptions)) }
      : withOptions(part, unmarked(part.providerOptions));
  return { ...message, parts: message.parts.with(at, changed) };
}

function outputOptions(part: Part): ProviderOptions | undefined {
  return part.type === "tool-result" ? part.output.providerOptions : undefined;
}

function hasMark(options: ProviderOptions | undefined): boolean {
  if (options === undefined) return false;
  return Object.values(options).some((settings) => isRecord(settings) && MARKS.some((mark) => settings[mark] != null));
}

/** Provider options without cache marks; `undefined` if nothing is left. */
function unmarked(options: ProviderOptions | undefined): ProviderOptions | undefined {
  const left = Object.entries(options ?? {}).flatMap(([provider, settings]) => {
    const others = Object.entries(settings).filter(([name]) => !MARKS.includes(name));
    return others.length === 0 ? [] : [[provider, Object.fromEntries(others)] as const];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function withOptions<T extends { readonly providerOptions?: ProviderOptions }>(
  value: T,
  options: ProviderOptions | undefined,
): T {
  const { providerOptions: _, ...rest } = value;
  return (options === undefined ? rest : { ...rest, providerOptions: options }) as T;
}
