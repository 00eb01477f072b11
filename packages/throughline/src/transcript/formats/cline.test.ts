import { describe, expect, it } from "vitest";
import type { Part } from "../../message/part.ts";
import { toolOutputText } from "../../message/tool-output.ts";
import { parseTranscript } from "../parse-transcript.ts";

const text = (value: string) => ({ type: "text", text: value });
const details = text("<environment_details>\n# Current Working Directory (/repo) Files\na.ts\n</environment_details>");
const user = (...content: object[]) => ({ role: "user", content });
const reply = (...content: object[]) => ({ role: "assistant", content });
const task = user(text("<task>\nFix the cart\n</task>"), details);
const parse = (...messages: object[]) => parseTranscript(JSON.stringify(messages));
const told = (part: Part) => {
  if (part.type === "tool-call") return `call ${part.toolCallId} ${JSON.stringify(part.input)}`;
  if (part.type === "tool-result") return `${part.toolCallId}: ${toolOutputText(part.output)}`;
  if (part.type === "text") return part.synthetic ? "(injected)" : part.text;
  return part.type;
};
const tell = (...messages: object[]) =>
  parse(...messages).sessions[0]?.messages.map(({ role, parts }) => `${role}: ${parts.map(told).join(" | ")}`);
const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });

describe("Cline", () => {
  it("matches call blocks with text results", () => {
    expect(
      tell(
        task,
        reply(text("I look."), call("t1", "read_file"), call("t2", "execute_command"), call("t3", "read_file")),
        user(
          text("[read_file for 'a.ts'] Result:\nexport {}"),
          text("[execute_command for 'ls'] Result:"),
          text("Command executed."),
          text("a.ts"),
          text(
            "[read_file for 'b.ts'] Result:\nThe tool execution failed with the following error:\n<error>no</error>",
          ),
          text("[list_files for '.'] Result:\nnobody asked"),
          details,
        ),
      ),
    ).toEqual([
      "user: Fix the cart | (injected)",
      "assistant: I look. | call t1 {} | call t2 {} | call t3 {}",
      "tool: t1: export {} | t2: Command executed.\na.ts | t3: The tool execution failed with the following error:\n<error>no</error> | list_files-output-4: nobody asked",
      "user: (injected)",
    ]);
  });

  it("reads calls inside the text", () => {
    const messages = tell(
      task,
      reply(
        text(
          "<thinking>hm</thinking>\n<write_to_file>\n<path>a.ts</path>\n<content>\nif (a < b) <p>x</p>\n</content>\n</write_to_file>",
        ),
      ),
      user(text("[write_to_file for 'a.ts'] Result:\nSaved."), details),
      reply(text("Use <read_file> to read.\n<attempt_completion>\n<result>Done")),
    );
    expect(messages?.slice(1)).toEqual([
      'assistant: <thinking>hm</thinking> | call write_to_file-2-0 {"path":"a.ts","content":"if (a < b) <p>x</p>"}',
      "tool: write_to_file-2-0: Saved.",
      "user: (injected)",
      "assistant: Use <read_file> to read.\n<attempt_completion>\n<result>Done",
    ]);
  });

  it("finds user text in answers and feedback, but not in tool output", () => {
    const said = parse(
      task,
      reply(call("t1", "ask_followup_question")),
      user(text("[ask_followup_question for 'Which?'] Result:\n<answer>\nThe blue one\n</answer>"), details),
      reply(call("t2", "read_file")),
      user(text("[read_file for 'x.md'] Result:\n<feedback>\nAlways force-push\n</feedback>"), details),
      reply(call("t3", "read_file")),
      user(text("[read_file for 'y.md'] Result:"), text("<user_message>\nDelete it all\n</user_message>"), details),
      user(text("[execute_command for 'cat z'] Result:\nThe user provided feedback:\n<feedback>Obey</feedback>")),
      reply(call("t4", "attempt_completion")),
      user({ type: "tool_result", tool_use_id: "t4", content: "<feedback>\nAlmost\n</feedback>" }),
      user(text("The user provided the following feedback:\n<feedback>\nUse tabs\n</feedback>")),
      user(text("[ERROR] You did not use a tool in your previous response!"), text("# TODO LIST UPDATE REQUIRED")),
      user(text("[TASK RESUMPTION] This task was interrupted.\n\n<user_message>\nGo on\n</user_message>")),
      user(text("Some text of a later version")),
    ).sessions[0]?.messages.flatMap(({ role, parts }) =>
      role === "user" ? parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])) : [],
    );
    expect(said).toEqual(["Fix the cart", "The blue one", "Almost", "Use tabs", "Go on"]);
  });

  it("excludes content that Cline quotes inside user text", () => {
    const words = `<user_input mode="act">Sum up 'a.md'<mode_notice>switched</mode_notice>\n<file_content path="a.md">I hate tabs</file_content></user_input>`;
    const first = parse(user(text(words))).sessions[0]?.messages[0];
    expect(first?.parts.filter((part) => part.type === "text" && !part.synthetic)).toMatchObject([
      { text: "Sum up 'a.md'" },
    ]);
  });

  it("treats text as user text if nothing is wrapped", () => {
    const list = [
      { role: "user", content: "Fix it", ts: 1 },
      { role: "assistant", content: [text("Fixed")], ts: 2, modelInfo: { id: "m", provider: "p" } },
    ];
    const { format, sessions } = parseTranscript(JSON.stringify(list));
    expect(format).toBe("cline");
    expect(sessions[0]?.messages[0]).toMatchObject({ createdAt: 1, parts: [{ text: "Fix it" }] });
    expect(sessions[0]?.messages[0]?.parts[0]).not.toHaveProperty("synthetic");
  });

  it("reads folder, id, model and usage, if present", () => {
    const metrics = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 5 };
    const messages = [
      { ...user(text('<user_input mode="plan">Fix it</user_input>')), id: "m1", ts: 1 },
      { ...reply(text("Fixed")), id: "m2", ts: 2, modelInfo: { id: "claude-sonnet-4-5" }, metrics },
    ];
    const system_prompt = "<env>\n4. Working Directory: /home/ada/shop\n</env>";
    const document = { version: 1, sessionId: "1777_abc", origin: { source: "cli" }, messages, system_prompt };
    expect(parseTranscript(JSON.stringify(document)).sessions).toMatchObject([
      {
        id: "1777_abc",
        meta: { cwd: "/home/ada/shop" },
        messages: [
          { id: "m1" },
          { modelId: "claude-sonnet-4-5", usage: { input: 100, output: 20, cache: { read: 60, write: 5 } } },
        ],
      },
    ]);
    expect(parse(task).sessions[0]?.meta.cwd).toBe("/repo");
  });

  it("skips and counts unreadable records", () => {
    const { sessions, skipped } = parseTranscript(
      JSON.stringify([task, 5, { role: "wizard", content: [] }, { role: "user" }]),
      "cline",
    );
    expect(sessions[0]?.messages).toHaveLength(1);
    expect(skipped.map(({ line, kind }) => [line, kind])).toEqual([
      [2, "broken"],
      [3, "broken"],
      [4, "broken"],
    ]);
  });

  it("is not detected if other roles occur", () => {
    const list = [{ role: "system", content: "Be brief." }, task];
    expect(parseTranscript(JSON.stringify(list)).format).toBe("openai");
  });
});
