/** A line of a diff: one that stays, goes or comes, or where lines that stay were left out. */
export interface DiffLine {
  readonly type: "same" | "removed" | "added" | "gap";
  readonly text: string;
}

/** Lines that stay are shown so far around a change. */
const CONTEXT = 3;
/** More pairs of lines are not compared: then all of the old goes and all of the new comes. */
const MAX_PAIRS = 4_000_000;

/** What is different between two texts, line by line, with a few lines around it. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const lines = [
    ...old.slice(0, head).map(same),
    ...compare(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
  return foldGaps(lines);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function same(text: string): DiffLine {
  return { type: "same", text };
}

/** By the longest common subsequence. */
function compare(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > MAX_PAIRS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (o: number, n: number) => common[o * width + n] ?? 0;
  for (let o = old.length - 1; o >= 0; o -= 1) {
    for (let n = now.length - 1; n >= 0; n -= 1) {
      common[o * width + n] = old[o] === now[n] ? at(o + 1, n + 1) + 1 : Math.max(at(o + 1, n), at(o, n + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [o, n] = [0, 0];
  while (o < old.length || n < now.length) {
    if (o < old.length && n < now.length && old[o] === now[n]) {
      lines.push(same(old[o] ?? ""));
      o += 1;
      n += 1;
    } else if (o < old.length && (n === now.length || at(o + 1, n) >= at(o, n + 1))) {
      lines.push(removed(old[o] ?? ""));
      o += 1;
    } else {
      lines.push(added(now[n] ?? ""));
      n += 1;
    }
  }
  return lines;
}

function removed(text: string): DiffLine {
  return { type: "removed", text };
}

function added(text: string): DiffLine {
  return { type: "added", text };
}

function foldGaps(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changed = lines.flatMap(({ type }, at) => (type === "same" ? [] : [at]));
  const isNear = lines.map(() => false);
  for (const at of changed) isNear.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return at > 0 && isNear[at - 1] === false ? [] : [{ type: "gap" as const, text: "" }];
  });
}
