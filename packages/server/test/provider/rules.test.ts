import { describe, expect, it } from "vitest";
import { refuseMessages, thinkingSignature } from "./anthropic-rules.ts";
import { refuseGemini, thoughtSignature } from "./gemini-rules.ts";
import { refuseChat } from "./openai-chat-rules.ts";
import { answerResponses } from "./openai-responses-answer.ts";
import { keptResponses } from "./openai-responses-rules.ts";
import type { Json, Provider } from "./provider.ts";

const provider: Provider = { limit: 2_000, bias: 1, answer: () => ({ text: "Hello." }) };
const ACCEPTED = "accepted";
/** A request, the refusal (or "accepted"), and other fields of the request. */
type Case<T> = [request: T, says: string, more?: Json];
const named = <T>(cases: readonly Case<T>[]) => cases.map(([request, says, more]) => ({ request, says, more }));
const words = "word ".repeat(4_000);
const user = (content: unknown = "Hi") => ({ role: "user", content });
const assistant = (...content: Json[]) => ({ role: "assistant", content });

describe("the rules of Anthropic", () => {
  const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
  const result = (id: string, more: Json = {}) => ({ type: "tool_result", tool_use_id: id, content: "x", ...more });
  const thinking = { type: "thinking", thinking: "Hm", signature: thinkingSignature("Hm") };
  const mark = { cache_control: { type: "ephemeral" } };
  const marked = (count: number) => [user(Array.from({ length: count }, () => ({ type: "text", text: "a", ...mark })))];
  const thinks = { thinking: { type: "enabled", budget_tokens: 5 } };

  const cases: Case<readonly Json[]>[] = [
    [[user()], ACCEPTED],
    [[user(), assistant(use("a"), use("b")), user([result("b"), result("a")])], ACCEPTED],
    [[user(), assistant(thinking, use("a")), user([result("a")])], ACCEPTED, thinks],
    [marked(4), ACCEPTED],
    [[], "at least one message"],
    [[assistant({ type: "text", text: "Hi" })], "first message"],
    [[user(), user()], "roles must alternate"],
    [[user([])], "non-empty content"],
    [[user(" ")], "non-whitespace"],
    [[user(), assistant(use("a"))], "immediately after: a."],
    [[user(), assistant(use("a")), user()], "immediately after: a."],
    [[user(), assistant(use("a")), user([{ type: "text", text: "So" }, result("a")])], "immediately after: a."],
    [[user([result("a")])], "unexpected `tool_use_id`"],
    [[user(), assistant(use("a")), user([result("a"), result("a")])], "multiple `tool_result`"],
    [[user(), assistant(use("a"), use("a")), user([result("a")])], "must be unique"],
    [[user(), assistant(use("a.b")), user([result("a.b")])], "should match pattern"],
    [marked(5), "A maximum of 4 blocks with cache_control may be provided. Found 5."],
    [marked(4), "Found 5.", { system: [{ type: "text", text: "b", ...mark }] }],
    [[user(), assistant(use("a")), user([result("a", { content: marked(5)[0]?.content })])], "Found 5."],
    [[user(), assistant({ ...thinking, thinking: "Hmm" }), user()], "Invalid `signature`"],
    [[user(), assistant({ type: "text", text: "a" }, thinking), user()], "the first block must be"],
    [[user(), assistant(use("a")), user([result("a")])], "Expected `thinking`", thinks],
    [[user(words)], "tokens > 2000 maximum"],
    [[user()], "+ 1995 > 2000, decrease input length", { max_tokens: 1_995 }],
  ];
  it.each(named(cases))("$says", ({ request: messages, says, more }) => {
    const refusal = refuseMessages({ max_tokens: 10, messages, ...more }, provider);
    expect(refusal?.message ?? ACCEPTED).toContain(says);
  });

  it("combine neighbors of one role unless the provider wants them to alternate", () => {
    const messages = [user(), user(), assistant(use("a")), user([result("a")]), user()];
    expect(refuseMessages({ max_tokens: 10, messages }, { ...provider, rolesMustAlternate: false })).toBeUndefined();
  });
});

describe("the rules of Chat Completions", () => {
  const calls = (...ids: string[]) => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } })),
  });
  const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });

  const cases: Case<readonly Json[]>[] = [
    [[user(), calls("a", "b"), tool("b"), tool("a"), user()], ACCEPTED],
    [[], "empty array"],
    [[user(), tool("a")], "must be a response to a preceeding message"],
    [[user(), calls("a"), tool("b")], "'tool_call_id' of 'b' not found"],
    [[user(), calls("a"), tool("a"), tool("a")], "'tool_call_id' of 'a' not found"],
    [[user(), calls("a", "b"), tool("a"), user()], "did not have response messages: b"],
    [[user(), calls("a")], "did not have response messages: a"],
    [[user(), calls("a", "a"), tool("a")], "Duplicate value"],
    [[user(null)], "expected a string, got null"],
    [[user(words)], "maximum context length is 2000 tokens. However, your messages resulted in"],
    [[user()], "in the messages, 2000 in the completion", { max_tokens: 2_000 }],
  ];
  it.each(named(cases))("$says", ({ request: messages, says, more }) => {
    const refusal = refuseChat({ messages, ...more }, provider);
    expect(refusal?.message ?? ACCEPTED).toContain(says);
  });

  it("leave the reply out of the window if the provider does", () => {
    const body = { messages: [user()], max_tokens: 2_000 };
    expect(refuseChat(body, { ...provider, countsReply: false })).toBeUndefined();
  });
});

describe("the rules of Responses", () => {
  const read = { ...provider, answer: () => ({ calls: [{ id: "c1", name: "read", input: {} }] }) };
  const kept = keptResponses();
  const ask = (body: Json) => answerResponses(JSON.stringify(body), read, kept);
  const first = ask({ input: "Hi", include: ["reasoning.encrypted_content"] }).body as { id: string; output: Json[] };
  const [reasoning = {}, call = {}] = first.output;
  const result = { type: "function_call_output", call_id: "c1", output: "x" };

  const cases: Case<Json>[] = [
    [{ input: [user(), reasoning, call, result] }, ACCEPTED],
    [{ input: [user(), { ...call, id: undefined }, result] }, ACCEPTED],
    [{ input: [result], previous_response_id: first.id }, ACCEPTED],
    [{ input: "More", previous_response_id: first.id }, "No tool output found for function call c1."],
    [{ input: "Hi", previous_response_id: "resp_x" }, "Previous response with id 'resp_x' not found."],
    [{ input: [user(), result] }, "No tool call found for function call output with call_id c1."],
    [{ input: [user(), reasoning] }, "without its required following item"],
    [{ input: [user(), reasoning, user()] }, "without its required following item"],
    [{ input: [user(), call, result] }, "without its required 'reasoning' item"],
    [{ input: [user(), { ...reasoning, encrypted_content: "x" }, call, result] }, "could not be verified"],
    [{ input: [user(), reasoning, call, result, call, result] }, "Duplicate item found"],
    [{ input: [{ type: "item_reference", id: "rs_x" }] }, "Item with id 'rs_x' not found."],
    [{ input: words }, "maximum context length is 2000 tokens"],
  ];
  it.each(named(cases))("$says", ({ request: body, says }) => {
    const { refusal } = ask(body);
    expect(refusal ?? ACCEPTED).toContain(says);
  });
});

describe("the rules of Gemini", () => {
  const turn = (role: string, ...parts: Json[]) => ({ role, parts });
  const call = (name: string, more: Json = { thoughtSignature: thoughtSignature("1", name) }) => ({
    functionCall: { name, args: {} },
    ...more,
  });
  const response = (name: string) => ({ functionResponse: { name, response: {} } });
  const hi = turn("user", { text: "Hi" });

  const cases: Case<readonly Json[]>[] = [
    [[hi, turn("model", call("read"), call("grep", {})), turn("user", response("read"), response("grep"))], ACCEPTED],
    [
      [hi, turn("model", call("read", {})), turn("user", response("read")), turn("model", { text: "So" }), hi],
      ACCEPTED,
    ],
    [[], "contents is not specified"],
    [[turn("user")], "must not be empty"],
    [[turn("system", { text: "Hi" })], "valid role"],
    [[hi, turn("user", response("read"))], "function response turn comes immediately after"],
    [[hi, turn("model", call("read")), hi], "number of function response parts"],
    [[hi, turn("model", call("read"))], "number of function response parts"],
    [[turn("model", call("read")), turn("user", response("read"))], "function call turn comes immediately after"],
    [[hi, turn("model", call("read", {})), turn("user", response("read"))], "missing a thought_signature"],
    [[hi, turn("model", call("read", { thoughtSignature: "x" })), turn("user", response("read"))], "not valid"],
    [[turn("user", { text: words })], "exceeds the maximum number of tokens allowed (2000)."],
  ];
  it.each(named(cases))("$says", ({ request: contents, says }) => {
    const refusal = refuseGemini({ contents }, provider);
    expect(refusal?.message ?? ACCEPTED).toContain(says);
  });
});
