import { says } from "../align.ts";
import type { Finding } from "../claim.ts";
import { readSlots, type Slot } from "../statements/read-slots.ts";
import type { Statement } from "../statements/statement.ts";

/** Places differ in how wide they are: who lives in Texas may live in Austin. */
const CONFIDENCE = 0.8;

/** Both say in words what something is of which there is one, and it is not the same. */
export function findSlot(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  const right = b.flatMap(readSlots);
  for (const mine of a.flatMap(readSlots)) {
    const yours = right.find((slot) => isOther(mine, slot));
    if (yours === undefined) continue;
    const [name, value, other] = [mine.name, mine.value, yours.value].map((words) => words.join(" "));
    return { kind: "value", reason: `${name}: one says ${value}, the other ${other}.`, confidence: CONFIDENCE };
  }
  return undefined;
}

function isOther(a: Slot, b: Slot): boolean {
  return isWithin(a.name, b.name) && isWithin(b.name, a.name) && !a.value.some((word) => isWithin([word], b.value));
}

function isWithin(words: readonly string[], others: readonly string[]): boolean {
  return words.every((word) => others.some((other) => says(other, word, true) || says(word, other, true)));
}
