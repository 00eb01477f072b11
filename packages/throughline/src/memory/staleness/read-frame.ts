/** Subject and value of a sentence, by its grammatical form. */
export interface SentenceFrame {
  /** A state (`is`), or a choice (`choice`). */
  readonly kind: "is" | "choice";
  /** The subject, or the purpose of the choice. */
  readonly of: string;
  readonly value: string;
  /** True for a preference, and for something temporary. */
  readonly isLoose: boolean;
}

/** Labels, greetings and marks before the sentence proper. */
const LEAD =
  /^(?:(?:[^\p{L}\p{N}["'$#(]+|\[[^\]\n]{1,60}\]:?|(?:note|update|correction|confirmed|noted|so|quick update|for the record|fyi|draft)\s*[:,-]|(?:got it|ok(?:ay)?|sure|noted|actually|oh|well|wait|no wait|by the way|great|just to confirm|just confirming(?: again)?|to be (?:absolutely )?clear|as of (?:today|now|this week)|from now on|(?:per|according to) [^,:]{1,40})\s*[,.!:–-]+)\s*)+/iu;

const NO_SUBJECT =
  /^(?:it|that|this|there|here|he|she|they|you|we|i|what|who|which|one|all|everything|nothing|something|these|those)\b/i;
const IS =
  /^(?<of>(?:(?:the|our|my|your|his|her|their|its|this) )?[\p{L}\p{N}#'’-]+(?: [\p{L}\p{N}#'’-]+){0,4}?) (?:is|are|will be|is going to be|remains|becomes)(?: (?:now|currently|still|officially|going to be))* (?<value>[^?]{2,200}?)[.!]*$/iu;

const CHOOSE = [
  "(?:go(?:ing)?|went|proceed(?:ing)?|stick(?:ing)?|sign(?:ing|ed)?) with",
  "(?:decided|settled|agreed) (?:on|to (?:use|go with|do))",
  "(?:chose|choose|choosing|picked|picking|selected|selecting)",
  "(?:switch(?:ing|ed)?|go(?:ing)?|went|revert(?:ing|ed)?)(?: back)? to",
  "(?:try|use|do)(?=[^.]* instead)",
  "(?:we|i)(?: will|'ll) be (?:doing|using)",
  "(?:we|i) (?:use|chose)",
  "(?:i |we )?prefer(?:s|red)?(?: using| to use)?",
  "(?:we're|we are|i'm|i am) thinking(?: of| about)?",
].join("|");
const CHOICE = new RegExp(
  String.raw`^(?:(?:[\p{L}'’]+ ){0,4}?)(?<verb>${CHOOSE}) (?<value>[^.,;?]{2,80}?)(?: for (?<of>(?:the|our|this|my|that) [^.,;?]{2,60}|now))?(?: instead)?(?: then)?[.!]*$`,
  "iu",
);
const LOOSE = /^(?:i |we )?prefer|thinking/i;

/** A sentence without its lead. */
export function stripLead(sentence: string): string {
  return sentence.replace(LEAD, "");
}

/** The frame of a sentence with one subject and one value. */
export function readFrame(sentence: string): SentenceFrame | undefined {
  const plain = sentence.replaceAll("’", "'");
  const choice = CHOICE.exec(plain)?.groups;
  if (choice !== undefined) {
    const { verb = "", value = "", of = "" } = choice;
    const isNow = of === "now";
    return {
      kind: "choice",
      of: isNow ? "" : of,
      value,
      isLoose: isNow || LOOSE.test(verb),
    };
  }
  const groups = IS.exec(plain)?.groups;
  const { of = "", value = "" } = groups ?? {};
  if (of === "" || NO_SUBJECT.test(of)) return undefined;
  return { kind: "is", of, value, isLoose: false };
}
