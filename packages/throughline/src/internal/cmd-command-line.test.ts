import { expect, it } from "vitest";
import { cmdCommandLine } from "./cmd-command-line.ts";

it.each([
  ["an empty word", "", '""'],
  ["spaces", "two words", '"two words"'],
  ["quotes", 'say "hi"', '"say ""hi"""'],
  ["operators after a quote", 'a" & calc & "b', '"a"" & calc & ""b"'],
  ["operators", "a&b|c<d>e^f", '"a&b|c<d>e^f"'],
  ["backslashes", "C:\\my shop\\a.ts", '"C:\\my shop\\a.ts"'],
  ["backslashes at the end", "C:\\shop\\\\", '"C:\\shop\\\\\\\\"'],
  ["backslashes before a quote", 'a\\"b', '"a\\\\""b"'],
  ["a percent sign", "100%", '"100%%cd:~,%"'],
  ["the name of a variable", "%PATH%", '"%%cd:~,%PATH%%cd:~,%"'],
  ["replacement patterns", "$1$&", '"$1$&"'],
])("quotes %s", (_, word, quoted) => {
  expect(cmdCommandLine([word])).toBe(quoted);
});

it("separates words with a space", () => {
  expect(cmdCommandLine(["npx", "--yes", "recall", "login form"])).toBe('"npx" "--yes" "recall" "login form"');
});

it.each(["a\nb", "a\r\nb", "a\rb"])("refuses the line break in %j", (word) => {
  expect(() => cmdCommandLine(["npx", word])).toThrow(RangeError);
});
