// Texts, quoted names and comments are passed over: a question mark in them is no parameter.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

// Statements for many rows come in many lengths, so what is remembered has an end.
const REMEMBERED = 500;
const numbered = new Map<string, string>();

/** The statement with `$1`, `$2` … in place of each `?`. */
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
