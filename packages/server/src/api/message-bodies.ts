import type { z } from "@hono/zod-openapi";
import type { ForeignModelMessage, Message } from "throughline";
import type { MessageSchema } from "./schemas/session.ts";

type MessageBody = z.output<typeof MessageSchema>;

// Messages are plain data in the library and in bodies alike: they cross as they are, and what reads them checks them.

export function toBodies(messages: readonly object[]): MessageBody[] {
  return messages as MessageBody[];
}

export function fromBodies(bodies: readonly MessageBody[]): readonly (Message | ForeignModelMessage)[] {
  return bodies as readonly object[] as readonly ForeignModelMessage[];
}
