// Skips strings, quoted names and comments: question marks in them are not parameters.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

// Cache limit: statements for many rows have many lengths.
const REMEMBERED = 500;
const numbered = new Map<string, string>();

/** Replaces each `?` with `$1`, `$2` … */
export function numberParameters(sql: string): string {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll(TOKEN, (token) => {
    if (token !== "?") return token;
    count += 1;
    return `$${count}`;
  });
  if (numbered.size >= REMEMBERED) numbered.clear();
  numbered.set(sql, text);
  return text;
}
