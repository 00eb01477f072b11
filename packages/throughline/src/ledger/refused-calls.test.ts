import { describe, expect, it } from "vitest";
import { completeMessage, type Message } from "../message/message.ts";
import type { ToolOutput } from "../message/tool-output.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import type { Ledger } from "./ledger.ts";
import { renderLedger } from "./render/render-ledger.ts";
import { isLedger } from "./serialize-ledger.ts";
import { assistant, filesOf, ledgerOf, tool, user } from "./session.arbitrary.ts";

const REASON = "keep the build folder, CI needs it";
const NOTE = (ledger: Ledger) => renderLedger(ledger, { budget: 2_000, count: countTokens });

let calls = 0;

/** A call with any output, as two messages. */
function call(toolName: string, input: unknown, output: ToolOutput): Message[] {
  calls += 1;
  const ids = { toolCallId: `refused_${calls}`, toolName };
  return [
    completeMessage({ role: "assistant", parts: [{ type: "tool-call", ...ids, input }] }, 1),
    completeMessage({ role: "tool", parts: [{ type: "tool-result", ...ids, output }] }, 2),
  ];
}

const failed = (value: string): ToolOutput => ({ type: "error-text", value });
const plain = (value: string): ToolOutput => ({ type: "text", value });
const CLAUDE_CODE =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

/** Results of clients for calls that the user refused with a reason. */
const WITH_REASON: readonly (readonly [string, ToolOutput])[] = [
  ["the AI SDK", { type: "execution-denied", reason: REASON }],
  ["Claude Code", failed(`${CLAUDE_CODE} To tell you how to proceed, the user said:\n${REASON}`)],
  [
    "Claude Code with a hint",
    failed(
      `${CLAUDE_CODE} To tell you how to proceed, the user said:\n${REASON}\n\nNote: The user's next message may contain a correction or preference.`,
    ),
  ],
  [
    "opencode",
    failed(`The user rejected permission to use this specific tool call with the following feedback: ${REASON}`),
  ],
  [
    "Cline",
    failed(
      `{"error":"User denied the tool execution The user provided the following feedback:\\n<feedback>\\n${REASON}\\n</feedback>"}`,
    ),
  ],
  [
    "Cline, an edit",
    {
      type: "error-json",
      value: {
        error: `The user denied this edit. The file was NOT modified and still contains its original content. The user provided the following feedback:\n<feedback>\n${REASON}\n</feedback>`,
      },
    },
  ],
  [
    "Cline, earlier versions",
    failed(`The user denied this operation and provided the following feedback:\n<feedback>\n${REASON}\n</feedback>`),
  ],
  [
    "Roo Code",
    failed(
      `The user denied this operation and responded with the message:\n<user_message>\n${REASON}\n</user_message>`,
    ),
  ],
];

/** Results of calls that did not run, without words of the user. */
const WITHOUT_REASON: readonly (readonly [string, ToolOutput])[] = [
  ["the AI SDK", { type: "execution-denied" }],
  ["the AI SDK, as text", plain("Tool call execution denied.")],
  ["Claude Code", failed(`${CLAUDE_CODE} STOP what you are doing and wait for the user to tell you how to proceed.`)],
  [
    "Claude Code, stopped",
    failed(
      "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
    ),
  ],
  ["a permission rule of Claude Code", failed("Permission to use Bash with command rm -rf build has been denied.")],
  ["Claude Code without a person", failed("Claude requested permissions to use Bash, but you haven't granted it yet.")],
  ["opencode", failed("The user rejected permission to use this specific tool call.")],
  [
    "a rule of opencode",
    failed(
      "The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []",
    ),
  ],
  ["Cline", failed('{"error":"User denied the tool execution"}')],
  [
    "Cline, an edit",
    failed('{"error":"The user denied this edit. The file was NOT modified and still contains its original content."}'),
  ],
  ["Cline, another message", failed("Tool execution was cancelled because the user sent a follow-up message.")],
  ["Cline, earlier versions", plain("The user denied this operation.")],
  ["Roo Code", plain('{"status":"denied","message":"The user denied this operation."}')],
  ["Codex, a command", plain("exec command rejected by user")],
  ["Codex, a patch", plain("patch rejected by user")],
  ["Codex, a tool of a server", plain("user rejected MCP tool call")],
  ["a rule of Codex", plain("`rm -rf build` rejected: policy forbids commands starting with `rm`")],
  ["Gemini CLI", failed("[Operation Cancelled] Reason: User denied execution.")],
  ["Gemini CLI, earlier versions", failed("[Operation Cancelled] Reason: User did not allow tool call")],
  ["a rule of Gemini CLI", failed("Tool execution denied by policy.")],
];

describe("a refused call", () => {
  it.each(WITH_REASON)("is recognized with its reason in the words of %s", (_, output) => {
    const ledger = ledgerOf(user("Clean up."), call("Bash", { command: "rm -rf build" }, output));
    expect(ledger.constraints).toMatchObject([{ text: REASON, refused: "rm -rf build" }]);
    expect(ledger.requests.map(({ text }) => text)).toEqual(["Clean up.", REASON]);
  });

  it.each([...WITH_REASON, ...WITHOUT_REASON])("changes no file and no outcome, in the words of %s", (_, output) => {
    const ran = [...tool("Bash", { command: "npm test" }, "12 passed"), ...tool("Edit", { file_path: "/app/a.ts" })];
    const ledger = ledgerOf(
      user("Clean up."),
      ran,
      call("Bash", { command: "rm old.ts" }, output),
      call("Bash", { command: "npm test" }, output),
      call("Edit", { file_path: "/app/a.ts" }, output),
      call("Write", { file_path: "/app/b.ts" }, output),
    );
    expect(filesOf(ledger)).toEqual({ "/app/a.ts": { edited: 1 } });
    expect(ledger.errors).toEqual([]);
    expect(ledger.commands).toMatchObject([
      { text: "npm test", outcome: "ok", runs: 1 },
      { text: "rm old.ts", outcome: "refused" },
    ]);
  });

  it("has a reason only if the client marked it as failed", () => {
    for (const [, output] of WITH_REASON.slice(1)) {
      const value = output.type === "error-text" ? output.value : JSON.stringify(output);
      const ledger = ledgerOf(user("Clean up."), call("Bash", { command: "rm -rf build" }, plain(value)));
      expect(ledger.constraints).toEqual([]);
    }
    const roo = plain(`{"status":"denied","feedback":"${REASON}"}`);
    expect(ledgerOf(user("Clean up."), call("Bash", { command: "rm -rf build" }, roo))).toMatchObject({
      constraints: [],
      commands: [{ outcome: "refused" }],
    });
  });

  it("is not work on a request", () => {
    const output = failed("The user rejected permission to use this specific tool call.");
    const done = [...call("Edit", { file_path: "/app/a.ts" }, output), assistant("I did not change it.")];
    expect(ledgerOf(user("Change it."), done).requests).toMatchObject([{ state: "answered" }]);
  });

  it("is no check, and hides none", () => {
    const [, output] = WITHOUT_REASON[2] ?? [];
    const refused = call("Bash", { command: "npm test -- --update" }, output ?? plain(""));
    expect(NOTE(ledgerOf(user("Fix it."), refused))).not.toContain("Last check");
    const note = NOTE(ledgerOf(user("Fix it."), tool("Bash", { command: "npm test" }, "12 passed"), refused));
    expect(note).toContain("- Last check: `npm test` passed");
    expect(note).toContain("- `npm test` ok");
    expect(note).toContain("- `npm test -- --update` refused");
  });

  it("does nothing if only the answer to the request for approval is in the session", () => {
    const parts = [
      { type: "tool-call", toolCallId: "c", toolName: "Bash", input: { command: "rm old.ts" } },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "c" },
    ] as const;
    const response = { type: "tool-approval-response", approvalId: "p", approved: false } as const;
    const ledger = ledgerOf(
      completeMessage({ role: "assistant", parts }, 1),
      completeMessage({ role: "tool", parts: [response] }, 2),
      assistant("I leave it as it is."),
    );
    expect(ledger.files).toEqual([]);
    expect(ledger.commands).toMatchObject([{ text: "rm old.ts", outcome: "refused" }]);
  });
});

describe("a failed call", () => {
  it("does not change the file record or its time", () => {
    const ledger = ledgerOf(
      tool("Edit", { file_path: "/app/a.ts" }),
      tool("Bash", { command: "npm test" }, "12 passed"),
      tool("Edit", { file_path: "/app/a.ts" }, "!String to replace not found in file."),
      tool("Write", { file_path: "/app/b.ts" }, "!File has not been read yet."),
      tool(
        "apply_patch",
        "*** Begin Patch\n*** Delete File: c.ts\n*** End Patch",
        "apply_patch verification failed: x",
      ),
    );
    expect(filesOf(ledger)).toEqual({ "/app/a.ts": { edited: 1 } });
    expect(NOTE(ledger)).toContain("- Last check: `npm test` passed\n");
  });

  it("of a single command deletes and moves nothing", () => {
    const ledger = ledgerOf(
      tool("Bash", { command: "rm old.ts" }, "!Exit code 1\nrm: old.ts: No such file or directory"),
      tool("Bash", { command: "git mv a.ts b.ts" }, "!Exit code 128\nfatal: bad source, source=a.ts"),
    );
    expect(ledger.files).toEqual([]);
  });

  it("of a script or behind a redirection may have changed files before it failed", () => {
    const ledger = ledgerOf(
      tool("Bash", { command: "sed -i 's/a/b/' src/a.ts && npm test" }, "!Exit code 1\nError: no"),
      tool("Bash", { command: "npm run report > report.txt" }, "!Exit code 1\nError: no"),
    );
    expect(filesOf(ledger)).toEqual({ "src/a.ts": { edited: 1 }, "report.txt": { written: 1 } });
  });
});

describe("a call without a result", () => {
  const asked = completeMessage(
    {
      role: "assistant",
      parts: [{ type: "tool-call", toolCallId: "open", toolName: "Edit", input: { file_path: "/app/a.ts" } }],
    },
    1,
  );

  it("has no effect yet, and counts as done when the assistant continues", () => {
    expect(ledgerOf(user("Fix it."), asked).files).toEqual([]);
    expect(filesOf(ledgerOf(user("Fix it."), asked, assistant("Fixed.")))).toEqual({ "/app/a.ts": { edited: 1 } });
  });

  it("can be stored with the ledger", () => {
    const ledger = ledgerOf(user("Fix it."), asked);
    expect(isLedger(JSON.parse(JSON.stringify(ledger)))).toBe(true);
  });
});
