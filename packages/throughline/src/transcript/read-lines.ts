/** Splits chunked text into lines. Only a line feed ends a line: other separators occur inside strings. */
export function createLineSplitter(onLine: (text: string, line: number) => void) {
  let rest: string[] = [];
  let line = 0;
  const finish = (text: string) => {
    line += 1;
    const clean = line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text;
    if (clean.trim() !== "") onLine(clean, line);
  };
  return {
    push(chunk: string): void {
      let start = 0;
      for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
        finish([...rest, chunk.slice(start, end)].join(""));
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.slice(start));
    },
    end(): void {
      if (rest.length > 0) finish(rest.join(""));
      rest = [];
    },
  };
}

/**
 * Returns the JSON values of one line; `undefined` if the line is incomplete. An interrupted program can leave two
 * values on one line: `{…}{…}`.
 */
export function readLine(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    const pieces = splitObjects(text);
    try {
      return pieces?.map((piece) => JSON.parse(piece) as unknown);
    } catch {
      return undefined;
    }
  }
}

function splitObjects(text: string): string[] | undefined {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '"') i = endOfString(text, i);
    if (char === "{") depth += 1;
    if (char !== "}") continue;
    depth -= 1;
    if (depth < 0) return undefined;
    if (depth > 0) continue;
    pieces.push(text.slice(start, i + 1));
    start = i + 1;
  }
  return pieces.length > 1 && text.slice(start).trim() === "" ? pieces : undefined;
}

function endOfString(text: string, quote: number): number {
  let i = quote + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}
