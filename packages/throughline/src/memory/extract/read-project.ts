import { withoutAnyMore } from "../../language/change-markers.ts";
import { findName } from "../../language/names.ts";
import { isIdentifier } from "../../ledger/find-identifiers.ts";
import { PROJECT_NOUNS } from "./lexicon/nouns.ts";
import { inThirdPerson, swapPerson } from "./third-person.ts";
import { trimTail } from "./trim-object.ts";

/** What was said of the work: of whom, and as a sentence. */
export interface ProjectStatement {
  readonly subject: "project" | "user";
  readonly text: string;
  readonly category: "project" | "preference";
  readonly key?: string;
  readonly value?: string;
}

const PARTS =
  "project|app|application|backend|frontend|api|service|repo|repository|codebase|site|website|server|cli|stack|company|product|team";
const USED =
  "use|uses|are using|is using|run on|runs on|deploy to|deploys to|deploy with|deploy on|deploys on|test with|build with|host on|is hosted on|is written in|is built with|is built on|are on|write everything in|store everything in";
const SUBJECT = `(?<subject>we|the team|(?:our|the|this) (?:${PARTS}))`;
const ADVERBS = "(?:currently |now |still |also |only |mainly |mostly |just |always |actually )*";

const USES = new RegExp(`^${SUBJECT}(?:'re| are)? ${ADVERBS}(?<verb>${USED}|using) (?<object>.+)$`, "i");
const USES_NO_MORE = new RegExp(
  `^${SUBJECT} (?:no longer (?:use|support|deploy to|run on)|(?:don't|do not) (?:use|support)(?=.* any ?more$)|stopped using|got rid of) (?<object>.+)$`,
  "i",
);
const DECIDED =
  /^(?<who>we|we've|the team|i|i've)(?: have)?(?: finally| just| also)? (?<decision>(?:(?:decided|agreed|opted|settled) (?:to|on|for|with|against|not to|that)|(?:went|are going) with|chose|have chosen|picked) .+)$/i;
/** What people decide of their work, and of nothing else. */
const DECIDED_WORK =
  /^(?:decided|agreed|opted) (?:not )?to (?:use|keep (?:the|our)|store|deploy|ship|host|migrate|rewrite|refactor|deprecate|support|adopt|standardi[sz]e) \S/i;
const SWITCHED =
  /^(?<who>we|we've|the team|i|i've)(?: have)?(?: just| recently| finally| already| now)? (?<switch>(?:switched|migrated|moved|changed|converted|upgraded|are moving|are switching|are migrating)(?: .+?)? (?:to|over to) (?<to>.+))$/i;
const BUILDS =
  /^(?:i'm|i am|we're|we are|im)(?: currently| now| still| also)? (?<doing>(?:building|developing|creating|maintaining|migrating|porting|rewriting|prototyping|designing|launching|working on|writing) (?:an?|the|our|my|this) .+)$/i;
const PASSING_WORK =
  /\b(?:bug|issue|fix|problem|error|test case|ticket|it|this|that|question|homework|feature request|pr|pull request|project (?:where|with|that|in which))\b/i;
const USES_MYSELF =
  /^(?:i|i'm)(?: currently| now| still| also| only| mainly| mostly| always)* (?:use|using) (?<object>.+)$/i;

const FOR_THIS_ONCE = /\b(?:this|that|these|those|the (?:test|following|current|same))\b/i;

const NAMED_PARTS =
  "deploy script|deployment script|build script|start script|release script|test command|build command|dev command|lint command|start command|package manager|test runner|test framework|main branch|default branch|release branch|entry point|entrypoint|config file|env file|schema|database|db|orm|framework|language|runtime|bundler|linter|formatter|license|tech stack|stack|ci|ci pipeline|hosting|staging url|production url|staging server|api base url|base url|api url|port|dev port|repo|repository|monorepo|deadline|launch date|release date|due date|budget|app name|project name|code name|codename|node version|python version|naming convention|code style|indentation|line width|target|target platform|auth provider|queue|cache|message broker";
const IS = new RegExp(
  `^(?:the|our|my) (?<part>${NAMED_PARTS}) (?:is|are|lives in|lives at|is at|is in|is on|is called|runs on|points to) (?<value>.+)$`,
  "i",
);
const NO_VALUE =
  /^(?:not|too|so|very|still|now|broken|failing|slow|down|wrong|missing|empty|red|green|done|ready|there|here|a mess|being|going|getting|really|pretty|quite|also|only|just|\w+ing|what|where|why|how|supposed|about to)\b/i;

/** What a clause says of a project that its people work on; `undefined` where it says nothing of that kind. */
export function readProject(clause: string): ProjectStatement | undefined {
  return (
    readEnded(clause) ??
    readSwitch(clause) ??
    readUse(clause) ??
    readDecision(clause) ??
    readPart(clause) ??
    readBuilding(clause) ??
    readOwnTools(clause)
  );
}

function readUse(clause: string): ProjectStatement | undefined {
  const { subject = "", verb = "", object = "" } = USES.exec(clause)?.groups ?? {};
  const used = keepReason(object);
  if (!isTechnical(used)) return undefined;
  if (/\b(?:use|uses|using)$/i.test(verb)) return ofProject(`${nameOf(subject)} uses ${used}`);
  const [first = "", ...others] = verb.toLowerCase().split(" ");
  const told = first === "are" || first === "is" ? "is" : inThirdPerson(first.replace(/s$/, ""));
  return ofProject([nameOf(subject), told, ...others, used].join(" "));
}

function readEnded(clause: string): ProjectStatement | undefined {
  const { subject = "", object = "" } = USES_NO_MORE.exec(clause)?.groups ?? {};
  const used = trimTail(withoutAnyMore(object));
  return isTechnical(used) ? ofProject(`${nameOf(subject)} no longer uses ${used}`) : undefined;
}

function readSwitch(clause: string): ProjectStatement | undefined {
  const { who = "", switch: said = "", to = "" } = SWITCHED.exec(clause)?.groups ?? {};
  const told = keepReason(said)
    .replace(/^are moving/i, "is moving")
    .replace(/^are (switching|migrating)/i, "is $1");
  if (!isTechnical(to)) return undefined;
  if (/^i/i.test(who)) return { subject: "user", text: `User ${swapPerson(told)}`, category: "preference" };
  return ofProject(`Project ${swapPerson(told)}`);
}

function readDecision(clause: string): ProjectStatement | undefined {
  const { who = "", decision: said = "" } = DECIDED.exec(clause)?.groups ?? {};
  const decision = keepReason(said);
  if (!isTechnical(decision) && !isAboutWork(decision) && !DECIDED_WORK.test(decision)) return undefined;
  return ofProject(`${/^i/i.test(who) ? "User" : "The team"} ${swapPerson(decision)}`);
}

function readPart(clause: string): ProjectStatement | undefined {
  const { part = "", value: said = "" } = IS.exec(clause)?.groups ?? {};
  const value = trimTail(said).replace(/^`|`$/g, "");
  if (value === "" || NO_VALUE.test(value) || !(isTechnical(value) || /\d/.test(value))) return undefined;
  return { ...ofProject(`Project's ${part.toLowerCase()} is ${value}`), key: part, value };
}

function readBuilding(clause: string): ProjectStatement | undefined {
  const doing = trimTail(BUILDS.exec(clause)?.groups?.doing ?? "");
  if (doing === "" || PASSING_WORK.test(doing) || !(isTechnical(doing) || isAboutWork(doing))) return undefined;
  return { subject: "user", text: `User is ${swapPerson(doing)}`, category: "project", key: "works_on" };
}

function readOwnTools(clause: string): ProjectStatement | undefined {
  const used = trimTail(USES_MYSELF.exec(clause)?.groups?.object ?? "");
  if (!isTechnical(used) || FOR_THIS_ONCE.test(used)) return undefined;
  return { subject: "user", text: `User uses ${swapPerson(used)}`, category: "preference" };
}

function ofProject(text: string): ProjectStatement {
  return { subject: "project", text, category: "project" };
}

function nameOf(subject: string): string {
  const part = /^(?:our|the|this) (.+)$/i.exec(subject)?.[1]?.toLowerCase();
  return part === undefined || /^(?:project|team|company|codebase|repo|repository)$/.test(part)
    ? "Project"
    : `Project's ${part}`;
}

/** A decision is worth as much as its reason, so that stays. */
function keepReason(text: string): string {
  const [before = "", reason] = text.split(/(?<!\s)\s+(?=(?:because|since|due to)\b)/i, 2);
  const kept = trimTail(before);
  return reason === undefined ? kept : `${kept} ${trimTail(reason.replace(/^(because|since)/i, "$1")) || reason}`;
}

/** Names of tools, identifiers, paths: what only a conversation about software holds. */
function isTechnical(text: string): boolean {
  const words = text.split(/\s+/).slice(0, 16);
  return words.some((word) => {
    const bare = word.replace(/^[^\p{L}\p{N}./~@]+/u, "").replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, "");
    return (
      findName(bare) !== undefined || /`/.test(word) || (isIdentifier(bare) && /[/_\\]|\.\w|[a-z][A-Z]/.test(bare))
    );
  });
}

function isAboutWork(text: string): boolean {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).some((word) => PROJECT_NOUNS.has(word));
}
