import { describe, expect, it } from "vitest";
import type { Message } from "../../message/message.ts";
import type { LedgerError } from "../ledger.ts";
import { reduceLedger } from "../reduce-ledger.ts";
import { commandForms } from "../render/state-lines.ts";
import { ledgerOf, tool } from "../session.arbitrary.ts";

/** Open errors after a test failed in one command and another command passed. */
function openAfter(failed: string, passed: string): readonly LedgerError[] {
  const result = "!Exit code 1\n--- FAIL: TestSave (0.01s)\n    save_test.go:12: got 3, want 4";
  const { errors } = ledgerOf(tool("Bash", { command: failed }, result), tool("Bash", { command: passed }));
  return errors.filter(({ resolved }) => resolved === undefined);
}

describe("commands and errors", () => {
  it.each([
    ["Exit code 2\nnpm ERR! missing script: tset", "failed", 2],
    ["Chunk ID: 1\nProcess exited with code 1\nOutput:\nError: no such column", "failed", 1],
    ["Output: (empty)\nExit Code: 0", "ok", 0],
    ["--- FAIL: TestParse (0.00s)\nok", "failed", undefined],
    ["all good", "ok", undefined],
  ])("reads the outcome of %j", (result, outcome, exitCode) => {
    expect(ledgerOf(tool("Bash", { command: "npm test" }, result)).commands).toMatchObject([
      { text: "npm test", outcome, ...(exitCode === undefined ? {} : { exitCode }) },
    ]);
  });

  it("recognizes a check by its program, not by file names", () => {
    const isCheck = (command: string) => ledgerOf(tool("Bash", { command })).commands[0]?.tests === true;
    expect(["npm test", "./scripts/test-all.sh", "make check"].map(isCheck)).toEqual([true, true, true]);
    expect(["rm -rf /tmp/test-repo", "mkdir test", "cp a.ts test/a.ts"].map(isCheck)).toEqual([false, false, false]);
  });

  it("drops comments of a command", () => {
    const textOf = (command: string) => ledgerOf(tool("Bash", { command })).commands[0]?.text;
    expect(textOf("# Build all\nmake all\n  # then test\nmake check # fast")).toBe("make all make check # fast");
    expect(textOf("# Nothing else")).toBe("\\# Nothing else");
  });

  it("records how a failed command succeeded later", () => {
    const failing = ledgerOf(tool("Bash", { command: "npm test" }, "!Exit code 1\nError: TABLE is not set\nnpm"));
    const resolvedBy = (command: string) => tool("Bash", { command }).reduce(reduceLedger, failing).errors[0]?.resolved;
    expect(resolvedBy("npm test")).toBe("worked when tried again");
    expect(resolvedBy("TABLE=test npm test")).toBe("worked as TABLE=test npm test");
    expect(resolvedBy("npm test -- --quiet | head")).toBe("worked as npm test -- --quiet | head");
    const repaired = [...tool("Bash", { command: "npm install pg" }), ...tool("Bash", { command: "npm test" })];
    expect(repaired.reduce(reduceLedger, failing).errors[0]?.resolved).toBe("worked after npm install pg");
  });

  it("ignores output filters when comparing checks", () => {
    const failed = "!Exit code 1\n--- FAIL: TestSave (0.01s)\n    save_test.go:12: got 3, want 4";
    for (const filter of ["tail -5", "grep FAIL", "head -20; exit $CODE"]) {
      const failing = ledgerOf(tool("Bash", { command: `go test ./... 2>&1 | ${filter}` }, failed));
      const { errors } = tool("Bash", { command: "go test ./..." }).reduce(reduceLedger, failing);
      expect(errors).toMatchObject([{ resolved: expect.stringContaining("worked") }]);
    }
  });

  it("treats a conflict as resolved when the stopped command continues", () => {
    const failing = ledgerOf(
      tool("Bash", { command: "git rebase main" }, "!Exit code 1\nerror: could not apply 1a2b3c4"),
    );
    expect(failing.errors).toMatchObject([{ text: "error: could not apply 1a2b3c4" }]);
    const next = (command: string) => tool("Bash", { command }).reduce(reduceLedger, failing).errors[0]?.resolved;
    expect(next("git add . && GIT_EDITOR=true git rebase --continue")).toBeDefined();
    expect(next("git merge --continue")).toBeUndefined();
  });

  it("treats a compile error as fixed when a check of the whole project passes", () => {
    const compile = "!Exit code 1\n# example.com/app\napp/main.go:12:3: undefined: parse";
    const failing = ledgerOf(tool("Bash", { command: "go vet ./app/main.go" }, compile));
    const next = (command: string) => tool("Bash", { command }).reduce(reduceLedger, failing).errors[0]?.resolved;
    expect(next("mise run test")).toBeDefined();
    expect(next("go test ./other -run TestSave")).toBeUndefined();
    const failed = ledgerOf(
      tool("Bash", { command: "go test ./app -run TestSave" }, "!Exit code 1\n--- FAIL: TestSave (0.01s)"),
    );
    expect(tool("Bash", { command: "mise run lint" }).reduce(reduceLedger, failed).errors[0]?.resolved).toBeUndefined();
  });

  it.each([
    ["go test ./app/store -run TestSave", "go test ./app/store", "a wider run of the same program"],
    ["go test ./app/store/...", "go test ./app/...", "a run of the folder above"],
    ["npm run test:unit", "npm run test:unit", "the same run"],
    ["go test ./app/store", "go test ./... -run 'TestLoad|TestSave'", "a run of the same test by name"],
    ["go test ./app/store", "npm run fmt && npm run lint && npm run test:ci", "a run of all tests in a script"],
    ["go test ./app/store", "go test ./...", "a run of all tests"],
    ["vitest run src/a.test.ts", "npm test", "a run of all tests by another program"],
  ])("takes a test that failed in %j for repaired after %j: %s", (failed, passed) => {
    expect(openAfter(failed, passed)).toEqual([]);
  });

  it.each([
    ["go test ./app/store", "go test ./app/other", "another folder"],
    ["go test ./app/store", "go test ./app/store -run TestLoad", "another test"],
    ["go test ./app/store", "go vet ./...", "another kind of check"],
    ["npm run test:e2e", "npm run test", "tests that run apart from the others"],
    ["make test", "make", "another target"],
    ["npm test -- src/store", "npm test -- src/other", "another filter"],
  ])("keeps a test that failed in %j after %j: %s", (failed, passed) => {
    expect(openAfter(failed, passed)).toHaveLength(1);
  });

  it("treats a file error as fixed when a check of its folder passes", () => {
    const failing = ledgerOf(
      tool("Bash", { command: "go build ./..." }, "!Exit code 1\napp/store/a.go:3:5: undefined: parse"),
    );
    const next = (command: string) => tool("Bash", { command }).reduce(reduceLedger, failing).errors[0]?.resolved;
    expect(next("go test ./app/store -run TestSave")).toBeDefined();
    expect(next("go test ./app/other")).toBeUndefined();
  });

  it("treats another failed call as settled when a call of the same kind succeeds", () => {
    const failing = ledgerOf(
      tool("Bash", { command: "gh api repos/a/b/pulls/1" }, "!Exit code 1\ngh: Not Found (HTTP 404)"),
    );
    const next = (command: string) => tool("Bash", { command }).reduce(reduceLedger, failing).errors[0]?.resolved;
    expect(next("gh api repos/a/b/issues/1")).toBeDefined();
    expect(next("gh pr list")).toBeUndefined();
  });

  it("omits a failed command whose error is fixed", () => {
    const failed = tool("Bash", { command: "go build ./..." }, "!Exit code 1\napp/a.go:3:5: undefined: parse");
    const linesAfter = (...messages: Message[]) => commandForms(ledgerOf(failed, messages)).map(([line]) => line);
    expect(linesAfter()).toEqual(["- `go build ./...` failed (exit 1)"]);
    expect(linesAfter(...tool("Bash", { command: "mise run test" }))).toEqual(["- `mise run test` ok"]);
  });

  it("names the fix of an error", () => {
    const failing = ledgerOf(tool("Bash", { command: "npm test" }, "!Exit code 1\nTypeError: x is undefined\nnpm"));
    expect(failing.errors).toMatchObject([{ text: "TypeError: x is undefined", source: "npm test" }]);
    const fixed = [
      ...tool("Edit", { file_path: "/app/a.ts" }),
      ...tool("Bash", { command: "cd /app && npm test -- -q" }),
    ];
    const ledger = fixed.reduce(reduceLedger, failing);
    expect(ledger.errors).toMatchObject([{ resolved: "worked after changes to a.ts" }]);
  });
});
