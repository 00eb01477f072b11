import { anyPhrase } from "../../language/word-lists.ts";

/** Signs of role play, jokes, and text that is to be written. */
const PRETENCE = new RegExp(
  String.raw`\b${anyPhrase(`role-?play(?:ing)?, pretend(?:ing)?, imagine (?:that|you|i|we|a|being), act as, stay in character, in character,
    you are (?:now )?(?:a|an|my) [^.!?]{0,60}(?:character|persona|narrator), let's say (?:that )?i, suppose (?:that )?i,
    hypothetically, in this scenario, speaking as, from the perspective of, stell dir vor, nehmen wir an, imagina que, supongamos, imagine qu[e']?, supposons, suponha, faz de conta,
    (?:for|in) (?:the|my|an?|this) (?:essay|story|novel|scene|play|screenplay|character|quiz|ad|mockup|persona), (?:just|only) (?:kidding|joking), jk,
    write (?:me )?(?:a|an|the|my|some) (?:[a-z-]+ ){0,3}(?:story|poem|song|letter|essay|speech|script|monologue|scene|novel|bio|biography|dialog(?:ue)?|email|post|tweet|review|lyrics|prompt|instructions?|guidelines?|rules?|readme|template)`)}\b|(?:^|\s)/s(?:\s|$)`,
  "i",
);
const OPENS_SCENE = /\b(?:role-?play|stay in character|let's (?:play|pretend)|pretend to be|act as)\b/i;
const CLOSES_SCENE =
  /\b(?:out of character|ooc|stop (?:the )?(?:role-?play\w*|pretending|game)|end (?:of )?(?:the )?(?:role-?play|scene|game)|no more role-?play\w*|back to reality)\b/i;

/** Follows a conversation and detects role play and jokes. */
export class RolePlayDetector {
  #inScene = false;

  /** True if a message is meant literally. */
  isLiteral(text: string): boolean {
    if (CLOSES_SCENE.test(text)) {
      this.#inScene = false;
      return false;
    }
    if (OPENS_SCENE.test(text)) this.#inScene = true;
    return !this.#inScene && !PRETENCE.test(text);
  }
}
