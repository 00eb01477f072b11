import { anyPhrase } from "../../language/word-lists.ts";

/** Behind a comma or a dash: what begins something else. */
const NEW_THOUGHT =
  anyPhrase(`but, because, cause, cuz, although, though, which, who, where, near, so, lol, haha, even, especially, if, unless,
  then, however, unfortunately, sadly, too, as well, right, yes, no, yeah, ha, just, not, nothing, do, does, it, two, three, four,
  all, none, mostly, mainly, and (?:it|that|you|they|he|she|then|so|just), \\p{L}+ing`);
/** The same without a sign before it. */
const OTHER_CLAUSE =
  anyPhrase(`but, because, cause, cuz, although, though, which, lol, haha, even though, ever since, since,
  whenever, when (?:i|we|it|the|my|they), while (?:i|we), until, as (?:i|we|it|much|long|soon), after (?:i|we),
  before (?:i|we), so (?:i|it|that|much i|we|my), an is,
  and (?:always|never|can't|can|cannot|don't|even|usually|am|is|are|have|get|got|was|still|currently|just|really|also|it|that|not|will|would|want|hope|had|went|sometimes|now|hates?|loves?|likes?|enjoys?|works?|lives?|enjoying|trying|hoping)`);
const SMILEY = String.raw`(?:(?<!\s)\s+)?(?::\)|:\(|;\)|:d|:p|<3|\*).*$`;
const CUT = new RegExp(
  String.raw`(?:(?<!\s)\s+)?(?:[,;(–—]|(?<=\s)-)\s*${NEW_THOUGHT}\b.*$|(?<!\s)\s+${OTHER_CLAUSE}\b.*$|${SMILEY}`,
  "isu",
);
const LAST_WORDS =
  anyPhrase(`too, as well, also, though, tho, lol, haha, hehe, ha, actually, anyways?, of course, for sure,
  you know, by the way, btw, myself, right now, for now, at the moment, now, these days, i guess, however, either, currently, and, but, or,
  so, so much, very much, a lot, a ton, the most, the best, especially, recently, yesterday, today,
  (?:last|this|next) (?:week|month|year|spring|summer|fall|autumn|winter|night), (?:a few|a couple of|several|many|\\p{L}+|\\d+)
  (?:days|weeks|months|years) ago, in (?:19|20)\\d\\d, in the last (?:week|month|year)`);
const TAIL = new RegExp(
  String.raw`(?:^|(?<![\s,;:–—-])[\s,;:–—-]+)${LAST_WORDS}$|(?<![\s,;:.!?)–—-])[\s,;:.!?)–—-]+$`,
  "iu",
);

/** Circumstances: what is said stays true without them. */
const CIRCUMSTANCE = new RegExp(
  String.raw`(?<!\s)\s+${anyPhrase(`while, when, whenever, after, before, during, until, because of, due to, thanks to, surrounded by,
    in (?:my|our) (?:spare|free) time, on (?:the |my )?(?:weekends?|days? off), just (?:for|to), so as,
    in order to, for (?:fun|a while|my|the \\p{L}+$), with (?:my|our|all|some|other|lots|a lot), every, once, twice,
    at (?:times|least|night|home$), to (?:help|get|keep|make|relax|unwind|see|feel|stay|watch|save|be able)`)}(?= |$).*$`,
  "iu",
);
const HANGS = /(?:^|\s)(?:to|a|an|the|my|of|in|on|at|with|and|or|for|from)$/i;

/** What a statement is about, without what was only said along with it. */
export function trimObject(rest: string): string {
  const object = trimTail(rest);
  const core = trimTail(object.replace(CIRCUMSTANCE, ""));
  return /\p{L}{3,}/u.test(core) && !HANGS.test(core) ? core : object;
}

/** Without the beginnings of other thoughts, and without the last words that say nothing. */
export function trimTail(rest: string): string {
  let object = rest.replace(CUT, "").trim();
  for (;;) {
    const shorter = object.replace(TAIL, "");
    if (shorter === object) return object;
    object = shorter;
  }
}
