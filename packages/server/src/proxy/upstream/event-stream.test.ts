import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventStreamReader } from "./event-stream.ts";

const END = fc.constantFrom("\n", "\r\n", "\r");
const event = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "👋", " ", ":", "{") }), {
  minLength: 1,
  maxLength: 3,
});

describe("EventStreamReader", () => {
  it("reads the same events for any chunking and any line ending", () => {
    const stream = fc.array(fc.tuple(event, END, fc.boolean()));
    fc.assert(
      fc.property(stream, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (events, sizes) => {
        const text = events.map(([lines, end, isNamed]) => {
          const data = lines.map((line) => `data: ${line}${end}`).join("");
          return `${isNamed ? `event: x${end}: note${end}` : ""}${data}${end}`;
        });
        // A lone CR at the very end could still become a CRLF, so something must follow it.
        const bytes = new TextEncoder().encode(`${text.join("")}:\n`);
        const reader = new EventStreamReader();
        const read: string[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value ?? 1;
          read.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(read).toEqual(events.map(([lines]) => lines.join("\n")));
      }),
    );
  });
});
