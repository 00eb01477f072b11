import type { Clause } from "../../language/clauses.ts";
import { anyPhrase } from "../../language/word-lists.ts";

/** Words that retract a statement or make it hypothetical. */
const HEDGE = new RegExp(
  String.raw`\b${anyPhrase(`maybe, perhaps, might, probably, possibly, hopefully, supposedly, apparently, would, could, should,
    wouldn't, couldn't, shouldn't, i'd, if, unless, whether, pretend(?:ing)?, imagin(?:e|ing), suppos(?:e|ing),
    hypothetically, theoretically, as though, or something, not sure, unsure, wondering, i think, i guess, i feel like,
    i bet, i wish, i hope, wish i, kinda, sorta, what-?if, assuming, let's say, in case, dreamt, rumou?r`)}\b`,
  "i",
);
/** The preceding clause reports the words or thoughts of another person. */
const REPORT = new RegExp(
  String.raw`\b${anyPhrase(`said, says, say, saying, told (?:me|him|her|them|us|you), tells (?:me|us), asked, wrote, writes,
    replied, claims?, claimed, thinks?, thought, believes?, sings?, lyrics?, reads, titled?, called, like when, i was like,
    he's like, she's like`)}[\s,:;–—-]*$`,
  "i",
);
/** Preceding words that make the clause conditional. */
const CONDITION = new RegExp(
  String.raw`\b${anyPhrase(`if, unless, when, whenever, suppose, imagine, pretend, assuming, let's say, whether, what if, as if,
    like if, until, wish, maybe, perhaps, hopefully`)}\b[^,;]*[,;]?\s*(?:then\s+)?$`,
  "i",
);

/** Longer sentences are not statements of people about themselves. */
export const MAX_SENTENCE_LENGTH = 800;

/** True if a clause is a plain statement: no question, guess, report or condition. */
export function isStated({ text, before, isQuestion }: Clause): boolean {
  return !isQuestion && !HEDGE.test(text) && !REPORT.test(before) && !CONDITION.test(before);
}

/** Words before the subject that do not change the meaning. */
const LEAD = new RegExp(
  String.raw`^(?:${anyPhrase(`yes, yeah, yep, yup, yea, no, nope, nah, oh, ah, ahh, aw, aww, well, wow, whoa, omg, nice, cool,
    great, good, hi, hello, hey, thanks, thank you, same, haha, lol, okay, ok, sure, true, right, awesome, neat, so, and, but,
    also, actually, honestly, personally, currently, unfortunately, sadly, luckily, fortunately, plus, besides, anyways?,
    basically, for me, as for me, in fact, to be honest, tbh, btw, by the way, fyi, of course, indeed, now, these days,
    nowadays, right now, at the moment, lately, for work, for fun, in my (?:spare|free) time, other than that,
    believe it or not, correction, remember(?: that)?, note that, just so you know, for the record, not really, not at all,
    really, me too, not yet, because, since, cause, as, though, although, yet, or, then, while, however`)}(?:[,!.:;\s–—-]+|$))+`,
  "i",
);

/** A clause from its subject on. */
export function stripLead(clause: string): string {
  return clause.replace(LEAD, "");
}
