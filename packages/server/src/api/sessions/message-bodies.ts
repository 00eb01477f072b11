import type { z } from "@hono/zod-openapi";
import type { ForeignModelMessage, Message } from "throughline";
import type { MessageSchema } from "../schemas/session.ts";

type MessageBody = z.output<typeof MessageSchema>;

// Messages have the same form in the library and in request bodies, so they are passed through unchanged and validated
// by their reader.

export function toBodies(messages: readonly object[]): MessageBody[] {
  return messages as MessageBody[];
}

export function fromBodies(bodies: readonly MessageBody[]): readonly (Message | ForeignModelMessage)[] {
  return bodies as readonly object[] as readonly ForeignModelMessage[];
}
