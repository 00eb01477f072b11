import { wordSet } from "../../language/word-lists.ts";

/** How somebody wants to be answered. Any other order tells a machine to do something. */
const ANSWERING = wordSet(`
  abbreviate add address answer apologise apologize ask assume avoid be begin bold break call capitalise capitalize challenge check cite clarify comment
  compare consider convert correct define describe elaborate emphasise emphasize end explain express flatter focus follow format give greet
  guess hedge help highlight include keep lecture limit list make mention moralise moralize number offer organise organize outline
  paraphrase praise prefer present prioritise prioritize provide quote recommend refer remember remind repeat reply respond rhyme round say show simplify sound
  speak spell start state stay structure suggest summarise summarize talk teach tell think translate treat use vary word write`);
/** What leads to the verb of an order. */
const LEAD =
  /^(?:(?:please|kindly|always|never|only|just|also|ever|do not|don['’]t|from now on|in (?:the )?future|by default|going forward|make sure to|be sure to|ensure to),? )+/i;
const CONDITION = /^(?:when|whenever|if|before|after|while)\b[^,]{1,200},\s*(?:then )?/i;
const CONDITION_ONLY = /^(?:when|whenever) (?:i|responding|answering|writing|explaining|coding)\b/i;
/** An order that is told of somebody: "wants ChatGPT to send …". */
const WANTED =
  /\b(?:wants?|wanted|prefers?|likes?|needs?|expects?|asked|asks|told|tells|requires?|instructed|would like)\b[^.]{0,40}?\b(?:(?:the |an? |its? |any )?(?:assistants?|chat ?gpt|gpt|claude|gemini|ai|model|agent|bot|you|me|it|system))\s+(?:to )?(?<order>[a-z].*)$/i;
/** Where something would go to, or come from. */
const TARGET =
  /https?:|www\.|[^\s@]@[^\s@]{1,253}\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)(?:~?\/|\.\/|[A-Z]:\\)[\w.-]|\b[\w-]+\.(?:sh|exe|example|onion)\b/i;
const DOES =
  /\b(?:send|sends|sent|sending|forward(?:s|ed)?|upload(?:s|ed)?|post(?:s|ed)? (?:to|it|them)|exfiltrate|transmit(?:s|ted)?|execute[sd]?|runs?|delete[sd]?|install(?:s|ed)?|download(?:s|ed)?|fetch(?:es|ed)?|visit(?:s|ed)?|curl|wget|deploy(?:s|ed)?|push(?:es|ed)?|e-?mail(?:s|ed)? (?:to|it|them|all)|transfer(?:s|red)?|grant(?:s|ed)?|approve[sd]?|disable[sd]?|bypass(?:es|ed)?)\b/i;
const BEGINS =
  /^(?:please |kindly )?(?:send|forward|upload|post|execute|run|delete|install|download|fetch|visit|deploy|push|transfer|grant|approve|disable|bypass)\b/i;
const OBLIGES = /\b(?:always|never|must|should|has to|have to|wants?|needs? to|shall)\b/i;

/** True if a line of a pasted text instructs a machine, except for how the user wants to be answered. */
export function isMachineInstruction(line: string, isOrder: boolean): boolean {
  if (isOrder) return !isAboutAnswers(line);
  if (BEGINS.test(line)) return true;
  const told = WANTED.exec(line)?.groups?.order;
  if (told !== undefined && !isAboutAnswers(told)) return true;
  return TARGET.test(line) && OBLIGES.test(line) && DOES.test(line);
}

function isAboutAnswers(order: string): boolean {
  if (TARGET.test(order) || DOES.test(order)) return false;
  const plain = order.trim().replace(LEAD, "");
  const main = plain.replace(CONDITION, "").replace(LEAD, "");
  const verb = /^[a-z]+/i.exec(main)?.[0].toLowerCase() ?? "";
  return ANSWERING.has(verb) || (main === plain && CONDITION_ONLY.test(plain));
}
