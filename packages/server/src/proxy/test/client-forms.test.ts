import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../../throughline/src/internal/json.ts";
import { convertAnthropicToRich } from "../../../../throughline/src/message/convert/anthropic.ts";
import { convertChatToRich } from "../../../../throughline/src/message/convert/openai/openai-chat.ts";
import { validateWindow } from "../../../../throughline/src/message/validate-window.ts";
import {
  type ClientForm,
  chatForm,
  messagesForm,
  runAgent,
  type SentRequest,
  SHIFTING_CLIENTS,
  STEPS,
} from "./client-forms.arbitrary.ts";

const RUNS = process.env.THROUGHLINE_SOAK ? 200 : 2;
/** Text that only Throughline writes into a window. */
const OURS = /## Session Summary|\[Output of read masked|left out here|continue/i;

const withoutMarks = (message: object) =>
  JSON.stringify(message, (name, value) => (name === "cache_control" ? undefined : (value as unknown)));
/** JSON with sorted fields, because field order is not guaranteed. */
const inOrder = (message: object) =>
  JSON.stringify(message, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
const marksIn = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;

function violations({ wire }: ClientForm, { messages }: SentRequest["body"]) {
  const read: unknown = messages;
  return wire === "messages"
    ? validateWindow(convertAnthropicToRich({ messages: read as never }), "anthropic")
    : validateWindow(convertChatToRich(read as never), "openai");
}

/** Checks the invariants of a request for every client form. */
function checkRequest(form: ClientForm, { asked, body, degraded }: SentRequest): void {
  expect(degraded).toBeNull();
  expect(violations(form, body)).toEqual([]);
  expect(marksIn(body)).toBeLessThanOrEqual(4);
  expect(marksIn(body.messages)).toBeLessThanOrEqual(marksIn(asked));
}

/** A message that is sent in full is identical to the client's, including cache marks. */
function checkOwnMessages({ asked, body }: SentRequest): void {
  const own = new Set(asked.map(inOrder));
  for (const message of body.messages) {
    const text = inOrder(message);
    expect(own.has(text) || OURS.test(text), text).toBe(true);
  }
}

describe("a client that sends answers back in its own form", () => {
  it("stays in one session, and each request extends the previous one unless something was compacted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(messagesForm, chatForm), async (form) => {
        const { sent, sessions, errors } = await runAgent(form);
        expect({ sessions, errors }).toEqual({ sessions: 1, errors: [] });
        let stable = 0;
        sent.forEach((request, index) => {
          checkRequest(form, request);
          checkOwnMessages(request);
          const before = sent[index - 1];
          if (before === undefined || request.rewrites > before.rewrites) return;
          const now = request.body.messages.map(withoutMarks);
          expect(now.slice(0, before.body.messages.length)).toEqual(before.body.messages.map(withoutMarks));
          stable += 1;
        });
        expect(sent.at(-1)?.rewrites).toBeGreaterThan(0);
        expect(stable).toBeGreaterThan(STEPS - 6);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(Object.entries(SHIFTING_CLIENTS))("stays in one session with %s", async (_, form) => {
    const { sent, sessions, stored, kept } = await runAgent(form);
    expect({ sessions, stored }).toEqual({ sessions: 1, stored: kept.length });
    for (const request of sent) checkRequest(form, request);
  });
});
