import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { GivenSystem, SystemMessage } from "./sdk-types.ts";

/** Separates system messages from the others: no provider accepts them in the middle. */
export function splitSystem(messages: readonly ForeignModelMessage[]): {
  readonly system: SystemMessage[];
  readonly others: ForeignModelMessage[];
} {
  const isSystem = (message: ForeignModelMessage) => message.role === "system" && typeof message.content === "string";
  return {
    system: messages.filter(isSystem) as unknown as SystemMessage[],
    others: messages.filter((message) => !isSystem(message)),
  };
}

export function asSystemMessages(prompt: GivenSystem | undefined): SystemMessage[] {
  if (prompt === undefined || prompt === "") return [];
  if (typeof prompt === "string") return [{ role: "system", content: prompt }];
  return (Array.isArray(prompt) ? [...prompt] : [prompt]) as SystemMessage[];
}

/** Joins system messages into one text. */
export function systemText(messages: readonly SystemMessage[]): string {
  return messages.map(({ content }) => content).join("\n\n");
}

/** Appends the memories of a prepared turn to the last system message: some models accept only one. */
export function withPrepared(messages: readonly SystemMessage[], prepared: string): SystemMessage[] {
  const added = prepared.slice(systemText(messages).length);
  if (added === "") return [...messages];
  const last = messages.at(-1);
  if (last === undefined) return [{ role: "system", content: added }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}${added}` }];
}
