import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../internal/find-secrets.ts";
import type { Message } from "./message.ts";
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

const STARS: unknown = expect.stringMatching(/^\*+$/);

function calling(input: unknown): Message {
  const part = { id: "p", type: "tool-call", toolCallId: "c", toolName: "http", input } as const;
  return { id: "m", sessionId: "s", role: "assistant", createdAt: 1, parts: [part] };
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

  it("replaces arguments and results whose name says that they are secrets", () => {
    const input = {
      password: "Tr0ub4dor&3xyz",
      env: {
        DB_PASSWORD: "correct9horse",
        apiKey: "9f8e7d6c5b4a3f2e1d0c",
        NPM_TOKEN: "abcd1234efgh5678",
        HOME: "/home/ada",
      },
      secrets: [{ githubToken: "0123456789abcdef0123456789abcdef01234567" }],
      primary_key: "customer_id_2",
    };
    const { message: redacted, secrets } = redactMessage(calling(input));
    expect(secrets).toBe(5);
    expect(redacted.parts[0]).toMatchObject({
      input: {
        password: "**************",
        env: { DB_PASSWORD: STARS, apiKey: STARS, NPM_TOKEN: STARS, HOME: "/home/ada" },
        secrets: [{ githubToken: STARS }],
        primary_key: "customer_id_2",
      },
    });
  });

  it.each([
    [String.raw`{"password": "abcd1\"TAILSECRET9", "user": "ada"}`, /TAILSECRET|abcd1/],
    [String.raw`{"body": "{\"password\":\"Hunter2Secret9\",\"user\":\"ada\"}"}`, /Hunter2/],
    [String.raw`{\"password\":\"Hunter2\\\"Secret9\"} of ada`, /Hunter2|Secret9/],
    [String.raw`{"log": "user=ada\npassword=Hunter2Secret9\nhost=db"}`, /Hunter2/],
    ['{"card": 4111111111111111, "user": "ada"}', /4111/],
  ])("replaces the whole secret and nothing else in %s", (text, secret) => {
    const [part] = redactMessage(message(text)).message.parts;
    const redacted = part?.type === "text" ? part.text : "";
    expect(redacted).not.toMatch(secret);
    expect(redacted).toContain("ada");
    expect(redacted).toHaveLength(text.length);
  });

  it("leaves JSON valid", () => {
    const piece = fc.constantFrom(
      ...["password", "password:", "api_key=", "token", " is ", "Hunter2Secret9", KEY, "4111 1111 1111 1111", "ada"],
      ...['"', "'", "\\", "\n", ",", ":", "{", "}", " ", "\u0001", "-----BEGIN PRIVATE KEY-----"],
      ...["curl -u ada:", "--password "],
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const scalar = fc.oneof(text, fc.constantFrom(4111111111111111, 123456789, -1.5e30, null, true));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 }),
        tie("value").map((one) => JSON.stringify(one)),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.constantFrom(0, 2), (values, indent) => {
        const json = JSON.stringify(values, null, indent);
        const [part] = redactMessage(message(json)).message.parts;
        expect(part?.type).toBe("text");
        const redacted = part?.type === "text" ? part.text : "";
        expect(() => JSON.parse(redacted)).not.toThrow();
        expect(redacted).toHaveLength(json.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
