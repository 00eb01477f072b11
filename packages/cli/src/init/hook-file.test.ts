import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addHooks, type Hook, hasHooks, problemWithHooks, removeHooks } from "./hook-file.ts";
import { readJsonc, undoInsertions } from "./jsonc.ts";

const HOOKS: readonly Hook[] = [
  { event: "SessionStart", command: "throughline hook session-start --agent claude-code", timeout: 15 },
  { event: "PreCompact", command: "throughline hook pre-compact --agent claude-code", timeout: 25 },
];

function added(text: string, hooks = HOOKS) {
  const edit = addHooks(text, hooks);
  if (edit.text === undefined) throw new Error(edit.problem);
  return edit;
}

function read(text: string): unknown {
  const value = readJsonc(text);
  if (value === undefined) throw new Error(`no JSON: ${text}`);
  return value;
}

/** A settings file in any valid layout, with comments and trailing commas. */
const documents = fc
  .record({
    settings: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}$/).filter((key) => key !== "hooks"),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 3 },
    ),
    others: fc.option(
      fc.dictionary(
        fc.constantFrom("SessionStart", "PreCompact", "Stop"),
        fc.array(fc.constant({ matcher: "*", hooks: [{ type: "command", command: "echo" }] }), { maxLength: 2 }),
        { maxKeys: 3 },
      ),
    ),
    indent: fc.constantFrom("", " ", "  ", "    ", "\t"),
    lineBreak: fc.constantFrom("\n", "\r\n"),
    end: fc.constantFrom("", "\n", "\n\n// the end", " "),
    start: fc.constantFrom("", "// mine\n", "/* { */ ", "\ufeff"),
    comment: fc.constantFrom("", " // why", " /* , */"),
    comma: fc.boolean(),
  })
  .map(({ settings, others, indent, lineBreak, end, start, comment, comma }) => {
    const written = others === null ? settings : { ...settings, hooks: others };
    const body = JSON.stringify(written, null, indent);
    // JSON has no -0.
    const value = JSON.parse(body) as typeof written;
    const isLong = indent !== "" && body.includes("\n");
    const tail = isLong ? body.replace(/\n\}$/, `${comma ? "," : ""}${comment}\n}`) : body;
    return { value, text: `${start}${tail}${end}`.replaceAll("\n", lineBreak) };
  });

describe("addHooks", () => {
  it("keeps everything else unchanged, and can be removed byte for byte", () => {
    fc.assert(
      fc.property(documents, ({ value, text }) => {
        const { text: after, insertions } = added(text);
        expect(read(text)).toEqual(value);
        expect(hasHooks(after, HOOKS)).toBe(true);
        expect(undoInsertions(after, insertions)).toBe(text);
        const { hooks: _, ...rest } = read(after) as Record<string, unknown>;
        const { hooks: __, ...before } = value as Record<string, unknown>;
        expect(rest).toEqual(before);
      }),
    );
  });

  it("keeps the hooks of others, in their order", () => {
    fc.assert(
      fc.property(documents, ({ value, text }) => {
        const own = (read(added(text).text) as { hooks: Record<string, unknown[]> }).hooks;
        for (const [event, groups] of Object.entries((value as { hooks?: Record<string, unknown[]> }).hooks ?? {})) {
          expect(own[event]?.slice(0, groups.length)).toEqual(groups);
        }
      }),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(documents, ({ text }) => {
        const once = added(text).text;
        expect(added(once)).toEqual({ text: once, insertions: [] });
      }),
    );
  });

  it("is found and removed without an install record", () => {
    fc.assert(
      fc.property(documents, ({ value, text }) => {
        const left = removeHooks(added(text).text);
        const { hooks = {}, ...rest } = read(left) as { hooks?: Record<string, unknown[]> };
        const { hooks: before = {}, ...others } = value as { hooks?: Record<string, unknown[]> };
        expect(rest).toEqual(others);
        // An event without hooks may be removed together with ours.
        const kept = Object.entries(before).filter(([event, groups]) => groups.length > 0 || event in hooks);
        expect(hooks).toEqual(Object.fromEntries(kept));
      }),
    );
  });

  it("keeps the comments around our entry when it is removed", () => {
    const text = '{\n  // one\n  "a": 1, // two\n  // three\n  "z": 2 // four\n}\n';
    const inTheMiddle = added(text).text.replace(
      /,?( \/\/ four)\n( {2}"hooks"[\s\S]*)\n\}\n$/,
      ',$1\n$2,\n  // five\n  "y": 3\n}\n',
    );
    const left = removeHooks(inTheMiddle);
    expect(left.match(/\/\/ \w+/g)).toEqual(["// one", "// two", "// three", "// four", "// five"]);
    expect(read(left)).toEqual({ a: 1, z: 2, y: 3 });
  });

  it("replaces an older Throughline command", () => {
    const moved = HOOKS.map((hook) => ({ ...hook, command: `"/opt/a b/node" bin.js${hook.command.slice(11)}` }));
    const { text } = added(added('{\n  "a": 1\n}\n').text, moved);
    expect(hasHooks(text, moved)).toBe(true);
    expect(text.match(/session-start/g)).toHaveLength(1);
  });

  it("adds new lines after a comment in the last line, not inside of it", () => {
    expect(added('{\n    "a": 1 // one\n}').text).toMatch(
      /^\{\n {4}"a": 1, \/\/ one\n {4}"hooks": \{\n {8}"SessionStart"/,
    );
  });

  it.each(["", "  \n"])("writes to an empty file: %j", (text) => {
    const { text: after, insertions } = added(text);
    expect(after.endsWith("}\n")).toBe(true);
    expect(Object.keys(read(after) as object)).toEqual(["hooks"]);
    expect(undoInsertions(after, insertions)).toBe(text);
  });

  it.each([
    ['{ "a": 1', "Line 1 is not valid JSON: close brace expected."],
    ['{\n  "a": 1\n  "b": 2\n}', "Line 3 is not valid JSON: comma expected."],
    ["{} {}", "Line 1 is not valid JSON: end of file expected."],
    ["{ a: 1 }", "Line 1 is not valid JSON: invalid symbol."],
    ['{ "a": 01 }', "Line 1 is not valid JSON: comma expected."],
    ["[".repeat(300), "Line 1 is not valid JSON: nested too deeply."],
    ["[]", "The file does not contain a JSON object."],
    ['{ "hooks": [] }', "The value of hooks is not an object."],
    ['{ "hooks": { "Stop": {} } }', "The value of hooks.Stop is not a list."],
    ['{ "hooks": {}, "hooks": {} }', 'The key "hooks" occurs twice.'],
    ['{ "hooks": { "Stop": [], "Stop": [] } }', 'The key "Stop" occurs twice.'],
    ['{ "hooks": { "Stop": [{ "hooks": [], "hooks": [] }] } }', 'The key "hooks" occurs twice.'],
  ])("reports what is wrong with %j", (text, problem) => {
    expect(problemWithHooks(text)).toBe(problem);
    expect(addHooks(text, HOOKS)).toEqual({ problem });
  });
});
