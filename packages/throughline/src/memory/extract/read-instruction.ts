import { wordSet } from "../../language/word-lists.ts";
import { swapPerson } from "./third-person.ts";

/** What somebody asks for, for good: what follows is an order. */
const FOR_GOOD =
  /^(?:please,? )?(?<when>(?:from now on|in (?:the )?future|going forward|by default),?(?: please)?(?: always| never)?|always|never)(?<not> (?:do not|don't))? (?<verb>[a-z]+)\b(?<rest>.*)$/i;
/** What is never to be done; without a word about when. */
const DO_NOT = /^(?:please,? )?(?:do not|don't) (?:ever )?(?<verb>[a-z]+)\b(?<rest>.*)$/i;
/** What is to end. */
const STOP = /^(?:please,? )?stop (?<doing>[a-z]+ing) (?<rest>.+)$/i;
/** What has to be seen to every time. */
const MAKE_SURE = /^(?:please,? )?(?:make sure|ensure)(?: that)? (?<rest>.*\b(?:always|never|every|each)\b.*)$/i;
/** One thing in place of another. */
const INSTEAD = /^(?:please,? )?(?<verb>use|prefer) (?<rest>.+ (?:instead of|rather than|over|not) .+)$/i;
/** How a team works. */
const WE_ALWAYS = /^(?:we|the team) (?<rest>(?:always|never|only) (?<verb>[a-z-]+) .+|use .+ only)$/i;
/** How somebody wants it each time. */
const I_WANT = /^i (?<rest>(?:always|never|only) (?:want|expect) .+)$/i;

const ORDERS = wordSet(`
  add address amend answer ask avoid be break call change check comment commit create delete deploy disable document edit end explain export
  follow format generate give import include install introduce keep leave log make mention merge mix mock modify name prefer push put
  rebase refactor refer remove rename reply respond return rewrite run show skip speak squash start stop summarize talk tell test touch translate
  update use wait write`);
/** Of now, and not of later: what is at hand, or what somebody has yet to say. */
const OF_NOW =
  /\b(?:this|that|these|those|it|its|them|here|there|yet|now|today|tonight|tomorrow|again|anything|everything|any more|anymore|for the moment|until|unless|first|still|so|too|either|above|below|following|next|last|same|one)\b/i;
/** What is before somebody at the moment; what is said of a whole project is not. */
const AT_HAND =
  /\b(?:this|that|these|those) (?!repo|repository|project|codebase|team|company|app\b)\w+|\bfor (?:this|that|now|today)\b|\btoday\b/i;
/** What is meant for good without a word about when is said of things of a kind: "comments", not "the comment". */
const OF_A_KIND = /^[\p{L}-]+s\b(?! (?:one|thing)\b)/iu;
const DEFINITE = /\b(?:the|a|an|my|your)\b/i;
const HENCEFORTH = /,? (?:from now on|in (?:the )?future|going forward)$/i;
const LONGEST = 24;

/** A standing order: "Always answer in German.", "Don't add comments to the code.", "We only use named exports." */
export function readInstruction(said: string): string | undefined {
  const clause = said.replace(HENCEFORTH, "");
  const isForGood = clause !== said;
  return (
    readForGood(clause) ??
    readOrder("never", DO_NOT.exec(clause)?.groups, (rest) => isForGood || OF_A_KIND.test(rest)) ??
    readOrder("", INSTEAD.exec(clause)?.groups, (rest) => isForGood || !DEFINITE.test(rest)) ??
    readStop(clause) ??
    readCare(clause) ??
    readCustom(clause)
  );
}

type Groups = Readonly<Record<string, string | undefined>>;

function readForGood(clause: string): string | undefined {
  const { when = "", not = "", verb = "", rest = "" } = FOR_GOOD.exec(clause)?.groups ?? {};
  if (!ORDERS.has(verb.toLowerCase())) return undefined;
  // When it is to be done belongs to it, so nothing is cut off.
  const object = swapPerson(rest.trim());
  if (!isObject(object) || AT_HAND.test(object) || /^(?:it|this|that|them|up|in)$/i.test(object)) return undefined;
  const order = /never$/i.test(when) || not !== "" ? "never" : "always";
  return `User wants: ${order} ${verb.toLowerCase()} ${object}`;
}

/** An order that says nothing of when is for good only where it points at nothing of the moment. */
function readOrder(how: string, groups: Groups | undefined, isLasting: (rest: string) => boolean): string | undefined {
  const { verb = "", rest: said = "" } = groups ?? {};
  const rest = said.trim();
  if (!ORDERS.has(verb.toLowerCase()) || OF_NOW.test(rest) || !isObject(rest) || !isLasting(rest)) return undefined;
  return `User wants: ${[how, verb.toLowerCase(), swapPerson(rest)].filter((word) => word !== "").join(" ")}`;
}

function readStop(clause: string): string | undefined {
  const { doing = "", rest = "" } = STOP.exec(clause)?.groups ?? {};
  if (rest === "" || OF_NOW.test(rest) || !isObject(rest) || !(OF_A_KIND.test(rest) || /^using$/i.test(doing)))
    return undefined;
  return DEFINITE.test(rest.split(" ")[0] ?? "")
    ? undefined
    : `User wants: stop ${doing.toLowerCase()} ${swapPerson(rest)}`;
}

function readCare(clause: string): string | undefined {
  const { rest = "" } = MAKE_SURE.exec(clause)?.groups ?? {};
  if (rest === "" || OF_NOW.test(rest) || !isObject(rest)) return undefined;
  return `User wants: make sure ${/^to\b/i.test(rest) ? "" : "that "}${swapPerson(rest)}`;
}

/** What a team or a person does each time. */
function readCustom(clause: string): string | undefined {
  const { rest: custom = "", verb = "" } = WE_ALWAYS.exec(clause)?.groups ?? {};
  const [order = ""] = verb.toLowerCase().split("-");
  const isWork = ORDERS.has(order) || (custom !== "" && verb === "");
  if (isWork && !OF_NOW.test(custom) && isObject(custom)) return `The team: ${swapPerson(custom)}`;
  const { rest: wish = "" } = I_WANT.exec(clause)?.groups ?? {};
  if (wish === "" || OF_NOW.test(wish) || !isObject(wish)) return undefined;
  return `User ${swapPerson(wish.replace(/ (want|expect) /i, " $1s "))}`;
}

function isObject(object: string): boolean {
  return object !== "" && object.split(/\s+/).length <= LONGEST;
}
