import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnknownProviderError } from "../errors/input-errors.ts";
import { convertRichToModel } from "./convert/ai-sdk.ts";
import { PROVIDERS } from "./legality-rules.ts";
import {
  callPart,
  FOREIGN_FORMATS,
  legalWindow,
  opaquePartOf,
  resultPart,
  say,
  windowOf,
} from "./message.arbitrary.ts";
import { validateWindow } from "./validate-window.ts";

const codes = (window: ReturnType<typeof windowOf>, provider: "openai" | "anthropic" | "gemini") =>
  validateWindow(window, provider).map((violation) => violation.code);

describe("validateWindow", () => {
  it("finds nothing in a legal session, in our format and in the AI SDK's", () => {
    fc.assert(
      fc.property(legalWindow, fc.constantFrom(...PROVIDERS), (window, provider) => {
        expect(validateWindow(window, provider)).toEqual([]);
        expect(validateWindow(convertRichToModel(window), provider)).toEqual([]);
      }),
    );
  });

  it("reports the position of a result without a call", () => {
    const window = windowOf(say("user", "hi"), say("tool", resultPart("x")));
    expect(validateWindow(window, "openai")).toEqual([
      {
        code: "orphan-result",
        message: 1,
        part: 0,
        text: 'message 1, part 0: tool result without call "x"',
      },
    ]);
  });

  it.each(PROVIDERS)("finds a call without a result for %s", (provider) => {
    const window = windowOf(say("user", "hi"), say("assistant", callPart("x")), say("user", "and?"));
    expect(codes(window, provider)).toEqual(["missing-result"]);
  });

  it.each(PROVIDERS)("finds a result after another message for %s", (provider) => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x")),
      say("user", "and?"),
      say("tool", resultPart("x")),
    );
    expect(codes(window, provider)).toEqual(["misplaced-result"]);
  });

  it("accepts the results of parallel calls in one or several tool messages", () => {
    const calls = say("assistant", callPart("x"), callPart("y"));
    const one = windowOf(say("user", "hi"), calls, say("tool", resultPart("y"), resultPart("x")));
    const several = windowOf(say("user", "hi"), calls, say("tool", resultPart("x")), say("tool", resultPart("y")));
    for (const provider of PROVIDERS) {
      expect(validateWindow(one, provider)).toEqual([]);
      expect(validateWindow(several, provider)).toEqual([]);
    }
  });

  it("finds a second result of a call and a reused id", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), callPart("x")),
      say("tool", resultPart("x"), resultPart("x")),
    );
    expect(codes(window, "anthropic")).toContain("duplicate-result");
    expect(codes(window, "anthropic")).toContain("duplicate-call-id");
  });

  it("requires no result for a call that the provider ran", () => {
    const call = { ...callPart("x"), providerExecuted: true };
    expect(codes(windowOf(say("user", "hi"), say("assistant", call, "found")), "openai")).toEqual([]);
  });

  it("accepts a call with a pending approval at the end, but not after a user message", () => {
    const asked = [
      say("user", "hi"),
      say("assistant", callPart("x"), { type: "tool-approval-request", approvalId: "p", toolCallId: "x" }),
    ];
    const answered = [...asked, say("tool", { type: "tool-approval-response", approvalId: "p", approved: true })];
    expect(codes(windowOf(...asked), "anthropic")).toEqual([]);
    expect(codes(windowOf(...answered), "anthropic")).toEqual([]);
    expect(codes(windowOf(...answered, say("user", "never mind")), "anthropic")).toEqual(["missing-result"]);
  });

  it("accepts a pending approval beside a completed parallel call", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", callPart("x"), callPart("y"), {
        type: "tool-approval-request",
        approvalId: "p",
        toolCallId: "x",
      }),
      say("tool", resultPart("y")),
    );
    expect(codes(window, "openai")).toEqual([]);
  });

  it("finds an approval without its call or request", () => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", "ok", { type: "tool-approval-request", approvalId: "p", toolCallId: "gone" }),
      say("tool", { type: "tool-approval-response", approvalId: "q", approved: true }),
    );
    expect(codes(window, "openai")).toEqual(["orphan-approval", "orphan-approval"]);
  });

  it.each(PROVIDERS)("finds messages without content, or with reasoning only, for %s", (provider) => {
    const window = windowOf(
      say("user", "hi"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("user", " "),
      say("assistant"),
    );
    expect(codes(window, provider)).toEqual(["empty-message", "empty-message", "empty-message"]);
  });

  it("finds a blank text beside others only if Anthropic would refuse it", () => {
    const window = windowOf(say("user", "hi", ""));
    expect(codes(window, "anthropic")).toEqual(["empty-text"]);
    expect(codes(window, "openai")).toEqual([]);
  });

  it("requires a user message first and alternating roles if the provider does", () => {
    const window = windowOf(say("system", "s"), say("assistant", "a"), say("assistant", "b"), say("user", "c"));
    expect(codes(window, "openai")).toEqual([]);
    expect(codes(window, "anthropic")).toEqual(["first-not-user", "not-alternating"]);
    expect(codes(window, "gemini")).toEqual(["first-not-user", "not-alternating"]);
  });

  it("accepts a system message only at the start, except for OpenAI", () => {
    const window = windowOf(say("user", "a"), say("system", "s"), say("assistant", "b"));
    expect(codes(window, "openai")).toEqual([]);
    expect(codes(window, "gemini")).toEqual(["system-not-first"]);
  });

  it("knows the call ids that each provider accepts", () => {
    const odd = windowOf(say("user", "a"), say("assistant", callPart("call|1")), say("tool", resultPart("call|1")));
    expect(codes(odd, "anthropic")).toEqual(["bad-call-id"]);
    expect(codes(odd, "openai")).toEqual([]);
    const long = "x".repeat(41);
    const far = windowOf(say("user", "a"), say("assistant", callPart(long)), say("tool", resultPart(long)));
    expect(codes(far, "openai")).toEqual(["bad-call-id"]);
    expect(codes(far, "gemini")).toEqual([]);
  });

  it("finds a part in a message of the wrong role", () => {
    expect(codes(windowOf(say("user", "a", { type: "reasoning", text: "b" })), "openai")).toEqual(["misplaced-part"]);
  });

  it.each(PROVIDERS)("finds a window without a speaker for %s", (provider) => {
    expect(validateWindow([], provider)).toMatchObject([{ code: "empty-window", message: 0 }]);
    expect(validateWindow(windowOf(say("system", "s")), provider)).toMatchObject([
      { code: "empty-window", message: 0 },
    ]);
  });

  it("counts an unknown part only if it reaches the provider", () => {
    const takers = (format: (typeof FOREIGN_FORMATS)[number]) =>
      PROVIDERS.filter((provider) => codes(windowOf(say("user", opaquePartOf(format))), provider).length === 0);
    expect(Object.fromEntries(FOREIGN_FORMATS.map((format) => [format, takers(format)]))).toEqual({
      "ai-sdk": PROVIDERS,
      "ai-sdk-ui": [],
      "openai-chat": ["openai"],
      "openai-responses": ["openai"],
      anthropic: ["anthropic"],
      gemini: ["gemini"],
      opencode: [],
      pi: [],
      copilot: [],
    });
  });

  it("accepts Throughline and AI SDK messages in one list", () => {
    const [call] = convertRichToModel(windowOf(say("assistant", callPart("x"))));
    const list = [...windowOf(say("user", "hi")), ...(call === undefined ? [] : [call])];
    expect(validateWindow([...list, ...windowOf(say("tool", resultPart("x")))], "anthropic")).toEqual([]);
    expect(validateWindow(list, "anthropic")).toMatchObject([{ code: "missing-result", message: 1 }]);
  });

  it.each(["mistral", "constructor"])("names the known providers when given %s", (provider) => {
    const validate = () => validateWindow([], provider as "openai");
    expect(validate).toThrow(UnknownProviderError);
    expect(validate).toThrow(/openai, anthropic or gemini/);
    expect(validate).toThrow(expect.objectContaining({ code: "unknown-provider", provider }));
  });

  it("takes linear time", () => {
    // 20,000 calls with all results at the end: a quadratic search would compare 400 million positions.
    const ids = Array.from({ length: 20_000 }, (_, i) => `c${i}`);
    const window = windowOf(
      say("user", "go"),
      ...ids.map((id) => say("assistant", callPart(id))),
      say("tool", ...ids.map((id) => resultPart(id))),
    );
    expect(codes(window, "openai").filter((code) => code === "misplaced-result")).toHaveLength(19_999);
  });
});
