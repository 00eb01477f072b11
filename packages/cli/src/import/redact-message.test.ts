import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../../throughline/src/internal/find-secrets.ts";
import type { Message } from "../../../throughline/src/message/message.ts";
import { redactMessage } from "./redact-message.ts";

const KEY = `ghp_${"a1B2c3D4e5".repeat(4)}`;

function message(text: string): Message {
  return {
    id: "m",
    sessionId: "s",
    role: "assistant",
    createdAt: 1,
    parts: [
      { id: "p0", type: "text", text },
      { id: "p1", type: "reasoning", text: `I use ${text}` },
      {
        id: "p2",
        type: "tool-call",
        toolCallId: "c",
        toolName: "bash",
        input: { command: `echo ${text}`, env: [text] },
      },
      { id: "p3", type: "tool-result", toolCallId: "c", toolName: "bash", output: { type: "text", value: text } },
    ],
    error: { name: "APIError", message: `401 for ${text}` },
  };
}

describe("redactMessage", () => {
  it("replaces secrets in what was said, arguments, results and errors", () => {
    const { message: redacted, secrets } = redactMessage(message(KEY));
    expect(secrets).toBe(6);
    expect(JSON.stringify(redacted)).not.toContain(KEY);
    expect(redacted.parts[0]).toMatchObject({ id: "p0", text: "*".repeat(KEY.length) });
    expect(redacted).toMatchObject({ id: "m", sessionId: "s", parts: [{}, {}, { toolName: "bash" }, {}] });
  });

  it("gives the same message if there are none", () => {
    const plain = message("npm test");
    expect(redactMessage(plain).message).toBe(plain);
  });

  it("leaves nothing that it would redact again", () => {
    const words = fc.constantFrom(
      "password=",
      "hunter22x",
      KEY,
      " ",
      "postgres://ada:s3cret99@db/x",
      "4111 1111 1111 1111",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (pieces) => {
        const { message: redacted } = redactMessage(message(pieces.join("")));
        expect(findSecrets(redacted.parts.map((part) => ("text" in part ? part.text : "")).join("\n"))).toEqual([]);
      }),
    );
  });
});
