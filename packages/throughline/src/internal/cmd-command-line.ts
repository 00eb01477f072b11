/**
 * A program and its arguments as one command line for `cmd /e:on /v:off /c`, also if the program is a batch file that
 * passes its arguments on.
 *
 * Each word is in double quotes, in which cmd leaves `& | < > ^` alone. A quote is doubled, so that the rest of the
 * word stays quoted. `%` is replaced before cmd looks at quotes, so an empty substring of the variable `cd` follows
 * each one: no name of a variable can begin there.
 *
 * @throws RangeError if a word has a line break: cmd drops everything after it
 *
 * @example
 * cmdCommandLine(["npx", 'say "hi"']); // '"npx" "say ""hi"""'
 */
export function cmdCommandLine(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  if (/[\r\n]/.test(word))
    throw new RangeError(
      "Cannot run this command: cmd does not pass on arguments with line breaks. Remove the line breaks.",
    );
  const escaped = word
    // Programs read backslashes before a quote as escapes.
    .replaceAll(/(?<!\\)(\\+)(?="|$)/g, "$1$1")
    .replaceAll('"', '""')
    .replaceAll("%", "%%cd:~,%");
  return `"${escaped}"`;
}
