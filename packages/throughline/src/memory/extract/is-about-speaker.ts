import { foldText } from "../../language/words.ts";
import type { PendingFact } from "../../ports/memory.ts";
import { readSignals, type SignalName } from "./signals.ts";

/** A beginning in the first person singular, in folded text. Spanish and Portuguese verbs may have no pronoun. */
const FIRST_PERSON =
  /^[^\p{L}]{0,4}(?:(?:and|but|so|also|well|yes|no|oh|ok|okay|hi|hey|hello|personally|honestly|actually|und|aber|y|pero|et|mais|e|mas|nao),? ){0,3}(?:(?:i|i'(?:m|ve|d)|im|my|call me|ich|meine?|nenn mich|yo|mi|me (?:gustan?|encantan?|llamo|chamo)|soy|vivo|trabajo|prefiero|odio|tengo|como|bebo|fumo|je|moi|mon|ma|mes|eu|meu|minha|sou|moro|trabalho|prefiro|gosto|odeio|adoro|tenho)(?![\p{L}\p{N}])|j'|我(?!们)|叫我|(?:私|僕|俺)(?!たち|達))/u;
const SECOND_PERSON =
  /(?<![\p{L}\p{N}])(?:you|your|u|du|dich|dir|deine?|sie|tu|usted|ustedes|toi|vous|voce|voces)(?![\p{L}\p{N}])|[你您]|あなた/u;
/** A fact that a model worded without a quotation. */
const OF_USER =
  /^(?:the )?user(?:['’]s | (?:is|has|lives|works|speaks|prefers|likes|loves|enjoys|dislikes|hates|does not like)\b)/i;
const OF_SELF: readonly SignalName[] = ["self", "preference"];
/** Signals of a rule or of a practice that others share. */
const SHARED: readonly SignalName[] = [
  "project",
  "practice",
  "universal",
  "standing",
  "fromNowOn",
  "duty",
  "instruction",
];

/**
 * True if an extracted fact is about its speaker, and therefore holds in every project: "I prefer tabs". The words of
 * the person decide, not the wording of a model or of the reply before. Requests ("always ask me first") and all
 * unclear cases belong to the project.
 */
export function isAboutSpeaker({
  text,
  category,
  source: { quote },
  referent,
}: Pick<PendingFact, "text" | "category" | "source" | "referent">): boolean {
  if (referent !== undefined) return false;
  if (quote === undefined) return OF_USER.test(text);
  const folded = foldText(quote);
  if (!FIRST_PERSON.test(folded) || SECOND_PERSON.test(folded)) return false;
  const signals = readSignals(folded);
  return (
    !SHARED.some((name) => signals.has(name)) && (category === "identity" || OF_SELF.some((name) => signals.has(name)))
  );
}
