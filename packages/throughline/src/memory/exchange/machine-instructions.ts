import { wordSet } from "../../language/word-lists.ts";

/** Verbs of instructions about answers. An instruction with another verb asks for an action. */
const ANSWER_VERBS = wordSet(`
  abbreviate add address answer apologise apologize ask assume avoid be begin bold break call capitalise capitalize challenge check cite clarify comment
  compare consider convert correct define describe elaborate emphasise emphasize end explain express flatter focus follow format give greet
  guess hedge help highlight include keep lecture limit list make mention moralise moralize number offer organise organize outline
  paraphrase praise prefer present prioritise prioritize provide quote recommend refer remember remind repeat reply respond rhyme round say show simplify sound
  speak spell start state stay structure suggest summarise summarize talk teach tell think translate treat use vary word write`);
/** Words before the verb of an instruction. */
const LEAD_IN =
  /^(?:(?:please|kindly|always|never|only|just|also|ever|do not|don['’]t|from now on|in (?:the )?future|by default|going forward|make sure to|be sure to|ensure to),? )+/i;
const CONDITION = /^(?:when|whenever|if|before|after|while)\b[^,]{1,200},\s*(?:then )?/i;
const CONDITION_ONLY = /^(?:when|whenever) (?:i|responding|answering|writing|explaining|coding)\b/i;
/** An instruction in reported speech: "wants ChatGPT to send …". */
const REPORTED_INSTRUCTION =
  /\b(?:wants?|wanted|prefers?|likes?|needs?|expects?|asked|asks|told|tells|requires?|instructed|would like)\b[^.]{0,40}?\b(?:(?:the |an? |its? |any )?(?:assistants?|chat ?gpt|gpt|claude|gemini|ai|model|agent|bot|you|me|it|system))\s+(?:to )?(?<instruction>[a-z].*)$/i;
/** Destination or source of an action: URL, e-mail address, IP address, path, script. */
const TARGET =
  /https?:|www\.|[^\s@]@[^\s@]{1,253}\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)(?:~?\/|\.\/|[A-Z]:\\)[\w.-]|\b[\w-]+\.(?:sh|exe|example|onion)\b/i;
const ACTION_VERB =
  /\b(?:send|sends|sent|sending|forward(?:s|ed)?|upload(?:s|ed)?|post(?:s|ed)? (?:to|it|them)|exfiltrate|transmit(?:s|ted)?|execute[sd]?|runs?|delete[sd]?|install(?:s|ed)?|download(?:s|ed)?|fetch(?:es|ed)?|visit(?:s|ed)?|curl|wget|deploy(?:s|ed)?|push(?:es|ed)?|e-?mail(?:s|ed)? (?:to|it|them|all)|transfer(?:s|red)?|grant(?:s|ed)?|approve[sd]?|disable[sd]?|bypass(?:es|ed)?)\b/i;
const ACTION_VERB_FIRST =
  /^(?:please |kindly )?(?:send|forward|upload|post|execute|run|delete|install|download|fetch|visit|deploy|push|transfer|grant|approve|disable|bypass)\b/i;
const OBLIGATION = /\b(?:always|never|must|should|has to|have to|wants?|needs? to|shall)\b/i;

/**
 * True if a line of a pasted text asks a machine for an action, such as sending data or running a command. Instructions
 * about how to answer the user are allowed.
 *
 * @param isInstruction True if the whole line is an instruction, by its wording or its heading.
 */
export function isMachineInstruction(line: string, isInstruction: boolean): boolean {
  if (isInstruction) return !isAboutAnswers(line);
  if (ACTION_VERB_FIRST.test(line)) return true;
  const reported = REPORTED_INSTRUCTION.exec(line)?.groups?.instruction;
  if (reported !== undefined && !isAboutAnswers(reported)) return true;
  return TARGET.test(line) && OBLIGATION.test(line) && ACTION_VERB.test(line);
}

function isAboutAnswers(instruction: string): boolean {
  if (TARGET.test(instruction) || ACTION_VERB.test(instruction)) return false;
  const plain = instruction.trim().replace(LEAD_IN, "");
  const main = plain.replace(CONDITION, "").replace(LEAD_IN, "");
  const verb = /^[a-z]+/i.exec(main)?.[0].toLowerCase() ?? "";
  return ANSWER_VERBS.has(verb) || (main === plain && CONDITION_ONLY.test(plain));
}
