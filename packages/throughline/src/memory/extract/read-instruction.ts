import { wordSet } from "../contradictions/words/word-list.ts";
import { swapPerson } from "./third-person.ts";

/** What somebody asks for, for good: what follows is an order. */
const FOR_GOOD =
  /^(?:please,? )?(?<when>always|never|from now on,?(?: please)?|in (?:the )?future,?(?: please)?|going forward,?(?: please)?|by default,?)(?<not> (?:do not|don't))? (?<verb>[a-z]+)\b(?<rest>.*)$/i;
const ORDERS = wordSet(`
  add address answer ask avoid be call check commit create delete deploy document edit end explain export follow format give
  import include install keep leave log make mention merge mock name prefer push put refer reply respond return run show skip
  speak start stop summarize talk tell test touch translate use wait write`);
const LONGEST = 24;

/** A standing order: "Always answer in German." */
export function readInstruction(clause: string): string | undefined {
  const { when = "", not = "", verb = "", rest = "" } = FOR_GOOD.exec(clause)?.groups ?? {};
  if (!ORDERS.has(verb.toLowerCase())) return undefined;
  // When it is to be done belongs to it, so nothing is cut off.
  const object = swapPerson(rest.trim());
  if (object === "" || object.split(/\s+/).length > LONGEST || /^(?:it|this|that|them|up|in)$/i.test(object))
    return undefined;
  const order = /^(?:always|never)$/i.test(when) ? `${when.toLowerCase()} ` : not === "" ? "always " : "never ";
  return `User wants: ${order}${verb.toLowerCase()} ${object}`;
}
