import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens/count-tokens.ts";
import { renderLedger } from "../render/render-ledger.ts";
import { ledgerOf, tool, user } from "../session.arbitrary.ts";

/** The open errors of a session in which a command failed with this output. */
function openErrors(command: string, output: string): readonly string[] {
  return ledgerOf(tool("Bash", { command }, `!Exit code 1\n${output}`)).errors.map(({ text }) => text);
}

describe("an open error", () => {
  it.each([
    [
      "the first message of a compiler, not the task runner's last line",
      "mise run build",
      "[build] $ go build ./...\n# example.com/app\napp/main.go:12:3: undefined: parse\napp/main.go:40:1: too many errors\n[build] ERROR task failed",
      "app/main.go:12:3: undefined: parse",
    ],
    [
      "the failed package, not what a test logs that went well",
      "go test ./...",
      "    save_test.go:8: both files were written successfully to the folder\nFAIL\texample.com/app\t0.3s",
      "FAIL example.com/app 0.3s",
    ],
    [
      "the finding of a linter, not the source code below it",
      "npm run lint",
      'app/run.go:7:2: Error return value is not checked (errcheck)\n\tt.Fatalf("failed to set it: %v", err)\n\t^\n1 issues:\n* errcheck: 1\nerror: script "lint" exited with code 1',
      "app/run.go:7:2: Error return value is not checked (errcheck)",
    ],
    [
      "the failed test with its message, which is the last one below its name",
      "go test ./...",
      "--- FAIL: TestSave (0.01s)\n    save_test.go:8: state before the call\n    save_test.go:12: got 3, want 4\nFAIL\nFAIL\texample.com/app\t0.3s",
      "--- FAIL: TestSave (0.01s): save_test.go:12: got 3, want 4",
    ],
    [
      "the failed test with the message above its name",
      "go test -v ./...",
      "=== RUN   TestLoad\n--- PASS: TestLoadError (0.00s)\n=== RUN   TestSave\n    save_test.go:12: got 3, want 4\n--- FAIL: TestSave (0.01s)\nFAIL",
      "--- FAIL: TestSave (0.01s): save_test.go:12: got 3, want 4",
    ],
    [
      "the failed test of another runner with its error",
      "npx vitest run",
      " FAIL  src/save.test.ts > save > keeps all\nAssertionError: expected 3 to be 4\n ❯ src/save.test.ts:12:8\n\n Tests  1 failed | 3 passed",
      "FAIL src/save.test.ts > save > keeps all: AssertionError: expected 3 to be 4",
    ],
    [
      "an error with the place where it was thrown",
      "node run.js",
      "Reading 3 files\nTypeError: x is not a function\n    at load (/app/run.js:3:5)\n    at main (/app/run.js:9:1)",
      "TypeError: x is not a function at load (/app/run.js:3:5)",
    ],
    [
      "the message behind a progress bar",
      "git rebase main",
      "Rebasing (1/4)\rRebasing (2/4)\rerror: could not apply a1b2c3d... add flag\nhint: Resolve all conflicts manually",
      "error: could not apply a1b2c3d... add flag",
    ],
    ["the only line there is", "tmux attach", "can't attach: no sessions", "can't attach: no sessions"],
  ])("is %s", (_, command, output, error) => {
    expect(openErrors(command, output)).toEqual([error]);
  });

  it.each([
    ["a bare exit code", "make all", ""],
    ["a separator", "make all", "----------------------------------------"],
    ["the heading of a table", "top -b", "PID PPID ELAPSED"],
    ["a row of a table", "gh pr checks 7", "NAME  STATE  LINK\nbuild  pass  https://example.com/1\nlint  pending  0"],
    ["a progress bar", "make fetch", "[=========>          ] 45%\r[==================> ] 90%"],
    ["the report that a task failed", "make lint", '[lint] ERROR task failed\nerror: script "lint" exited with code 1'],
    ["one line of a long text without a failure", "make list", "one of the lines\n".repeat(40)],
    ["the options of a command", "make help", "  -q, --quiet   Show errors only\n  -w, --web   Open it"],
  ])("is not %s; the command is told as failed", (_, command, output) => {
    expect(openErrors(command, output)).toEqual([]);
    const ledger = ledgerOf(user("Fix it"), tool("Bash", { command }, `!Exit code 1\n${output}`));
    const note = renderLedger(ledger, { budget: 1_000, count: countTokens });
    expect(note).toContain(`- \`${command}\` failed (exit 1)`);
    expect(note).not.toContain("### Open errors");
  });

  it.each(["sed -n '1,40p' a.ts", "ps -o pid,ppid,etime -p 12", "git grep -n nothing", "cd /app && jq .name a.json"])(
    "is not raised by %s, which only reads",
    (command) => {
      expect(openErrors(command, "Error: nothing there")).toEqual([]);
    },
  );

  it("is omitted from a note after the next request, unless a check failed", () => {
    const noteOf = (command: string, ...later: Parameters<typeof ledgerOf>) =>
      renderLedger(
        ledgerOf(user("Fix it"), tool("Bash", { command }, "!Exit code 1\nError: no such table"), ...later),
        {
          budget: 1_000,
          count: countTokens,
        },
      );
    expect(noteOf("make deploy")).toContain("Error: no such table");
    expect(noteOf("make deploy", user("Now the docs"))).not.toContain("Error: no such table");
    expect(noteOf("npm test", user("Now the docs"))).toContain("Error: no such table");
  });

  it("takes time in proportion to the length of an output", () => {
    const shapes = [
      "a.b/".repeat(4_000),
      "x:1: ".repeat(3_000),
      "--- FAIL: a\n".repeat(1_500),
      `${" ".repeat(9_000)}a`,
    ];
    for (const shape of shapes) expect(openErrors("npm test", shape).length).toBeLessThanOrEqual(1);
  });
});
