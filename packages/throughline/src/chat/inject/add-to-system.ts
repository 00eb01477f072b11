import type { ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import { completeMessage, type Message } from "../../message/message.ts";

interface Addition {
  readonly before?: string;
  readonly behind?: string;
}

/**
 * The messages with more in their system prompt: in the last system message that they begin with, or else in one of the
 * list's own kind before them.
 */
export function addToSystem<T extends Message | ForeignModelMessage>(
  messages: readonly T[],
  { before = "", behind = "" }: Addition,
): T[] {
  if (before === "" && behind === "") return [...messages];
  const first = messages.findIndex(({ role }) => role !== "system");
  const systems = first === -1 ? messages.length : first;
  const system = messages[systems - 1];
  if (system !== undefined) return messages.with(systems - 1, extend(system, before, behind));
  const text = [before, behind].filter((one) => one !== "").join("\n\n");
  const isOwn = messages.some((message) => "parts" in message);
  // The kind of the list's messages is known here, and not to the compiler.
  return [(isOwn ? ownSystem(messages[0] as Message, text) : { role: "system", content: text }) as T, ...messages];
}

function extend<T extends Message | ForeignModelMessage>(system: T, before: string, behind: string): T {
  if ("content" in system) {
    const texts = [before, String(system.content), behind].filter((one) => one !== "");
    return { ...system, content: texts.join("\n\n") };
  }
  const part = (id: string, text: string) => (text === "" ? [] : [{ id, type: "text" as const, text }]);
  const { tokens: _, ...rest } = system;
  const parts = [...part(`${system.id}.persona`, before), ...system.parts, ...part(`${system.id}.memory`, behind)];
  return { ...rest, parts } as unknown as T;
}

function ownSystem({ sessionId }: Message, text: string): Message {
  return completeMessage({ id: "system", role: "system", parts: [{ type: "text", text }] }, 0, { sessionId });
}
