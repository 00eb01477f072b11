import { isRecord, type JsonRecord } from "../internal/json.ts";
import type { OpenCall } from "./read-tape.ts";
import type { DescribedRequest } from "./tape-request.ts";

/** A value that differs from the recorded request. */
interface Difference {
  readonly path: string;
  readonly asked: unknown;
  readonly recorded: unknown;
}

/** Maximum differences to count: a call with more is not similar. */
const MAX_DIFFERENCES = 200;
/** Characters shown before and after the start of a difference. */
const EXCERPT = { before: 20, after: 60 };

/** Explains why a tape has no answer: names the most similar recorded call and the first difference. */
export function describeMiss(asked: DescribedRequest, calls: readonly OpenCall[]): string {
  const same = calls.filter(({ hash }) => hash === asked.hash).length;
  if (same > 0) {
    return `The tape has ${same === 1 ? "one answer" : `${same} answers`} for this request, but it was sent again.`;
  }
  let nearest: { readonly number: number; readonly differences: readonly Difference[] } | undefined;
  calls.forEach(({ call, request }, at) => {
    const differences = compare({ call: asked.call, ...asked.request }, { call, ...request });
    if (nearest === undefined || differences.length < nearest.differences.length) {
      nearest = { number: at + 1, differences };
    }
  });
  if (nearest === undefined) return "The tape has no calls.";
  const [first] = nearest.differences;
  const more = nearest.differences.length - 1;
  const others = more === 0 ? "" : ` ${more === 1 ? "One more value differs" : `${more} more values differ`}.`;
  return `The tape has no answer for this request. The most similar call is ${nearest.number}, where ${first && describe(first)}.${others}`;
}

function describe({ path, asked, recorded }: Difference): string {
  const [now, then] = excerpts(asked, recorded);
  return `${path} was ${then}, and is ${now}`;
}

/** Excerpts of both values around the first difference. */
function excerpts(asked: unknown, recorded: unknown): readonly [string, string] {
  const texts = [asked, recorded].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const [a = "", b = ""] = texts;
  let parting = 0;
  while (parting < a.length && parting < b.length && a[parting] === b[parting]) parting += 1;
  const from = Math.max(0, parting - EXCERPT.before);
  const show = (text: string | undefined) => {
    if (text === undefined) return "nothing";
    const end = parting + EXCERPT.after;
    return JSON.stringify(`${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`);
  };
  return [show(texts[0]), show(texts[1])];
}

function compare(asked: JsonRecord, recorded: JsonRecord): readonly Difference[] {
  const found: Difference[] = [];
  collect(asked, recorded, "", found);
  return found;
}

function collect(asked: unknown, recorded: unknown, path: string, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(asked, recorded)) return;
  if (Array.isArray(asked) && Array.isArray(recorded)) {
    const length = Math.max(asked.length, recorded.length);
    for (let at = 0; at < length; at += 1) collect(asked[at], recorded[at], `${path}[${at}]`, found);
  } else if (isRecord(asked) && isRecord(recorded)) {
    for (const name of new Set([...Object.keys(asked), ...Object.keys(recorded)])) {
      collect(asked[name], recorded[name], path === "" ? name : `${path}.${name}`, found);
    }
  } else {
    found.push({ path, asked, recorded });
  }
}
