/** One simple command of a script. */
interface ShellCommand {
  readonly words: readonly string[];
  readonly redirects: readonly { readonly path: string; readonly append: boolean }[];
}

interface SplitScript {
  /** The script without the bodies of its heredocs. */
  readonly text: string;
  readonly commands: readonly ShellCommand[];
  readonly bodies: readonly string[];
}

const MAX_SCRIPT = 16_000;
const MAX_BODY = 100_000;
/** A word in quotes, an operator, or a run of anything else. An unclosed quote ends with the text. */
const LEXEME = /"(?:[^"\\]|\\.)*"?|'[^']*'?|&&|\|\||[;|\n]|\d?>>?&?\d?|&>>?|<<?<?|&|[^\s"'`;|&<>]+|`/gy;
const SPACES = /[ \t\r]+/y;

/** Splits a shell script into commands, well enough to see the programs and their files. Not a complete parser. */
export function splitShell(script: string): SplitScript {
  const { text, bodies } = takeHeredocs(script.slice(0, MAX_BODY));
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let redirects: { path: string; append: boolean }[] = [];
  let redirect: string | undefined;
  const close = () => {
    if (words.length > 0 || redirects.length > 0) commands.push({ words, redirects });
    words = [];
    redirects = [];
    redirect = undefined;
  };
  for (const { lexeme, glued } of lexemes(text.slice(0, MAX_SCRIPT))) {
    if (/^(&&|\|\||[;|\n&])$/.test(lexeme)) close();
    else if (/^(\d?|&)>>?/.test(lexeme)) redirect = /&\d$/.test(lexeme) ? undefined : lexeme;
    else if (/^<+$/.test(lexeme)) redirect = "<";
    else if (redirect !== undefined) {
      if (redirect !== "<") redirects.push({ path: unquote(lexeme), append: redirect.includes(">>") });
      redirect = undefined;
    } else if (glued && words.length > 0) words.push((words.pop() ?? "") + unquote(lexeme));
    else words.push(unquote(lexeme));
  }
  close();
  return { text, commands, bodies };
}

function* lexemes(text: string): Generator<{ lexeme: string; glued: boolean }> {
  let at = 0;
  let glued = false;
  while (at < text.length) {
    SPACES.lastIndex = at;
    const space = SPACES.exec(text);
    if (space !== null) {
      at += space[0].length;
      glued = false;
      continue;
    }
    LEXEME.lastIndex = at;
    const lexeme = LEXEME.exec(text)?.[0] ?? text[at] ?? "";
    at += lexeme.length;
    const isWord = !/^(&&|\|\||[;|\n&]|\d?>|&>|<)/.test(lexeme);
    yield { lexeme, glued: glued && isWord };
    glued = isWord;
  }
}

function unquote(lexeme: string): string {
  return /^["']/.test(lexeme) ? lexeme.replace(/^["']|["']$/g, "") : lexeme;
}

/** Separates heredocs, which are texts and not commands: `cat > f <<EOF` is about `f`. */
function takeHeredocs(script: string): { text: string; bodies: string[] } {
  if (!script.includes("<<")) return { text: script, bodies: [] };
  const kept: string[] = [];
  const bodies: string[] = [];
  let end: string | undefined;
  let body: string[] = [];
  for (const line of script.split("\n")) {
    if (end === undefined) {
      kept.push(line);
      end = line.length > 4_000 ? undefined : /(?<!<)<<-?\s*["'\\]?([A-Za-z_]\w*)/.exec(line)?.[1];
      body = [];
    } else if (line.trim() === end) {
      bodies.push(body.join("\n"));
      end = undefined;
    } else body.push(line);
  }
  if (end !== undefined) bodies.push(body.join("\n"));
  return { text: kept.join("\n"), bodies };
}
