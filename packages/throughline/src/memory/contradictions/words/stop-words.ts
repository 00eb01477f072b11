import { baseSet, wordSet } from "./word-list.ts";

/** Words that carry no meaning of their own here. */
const EMPTY = wordSet(`
  a an the this that these those some any such other another own both either each
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself
  they them their theirs themselves who whom whose which what where when why how there here one ones
  be do have will would shall should can could may might must ought
  of to in on at by for from with about as into onto over under up down out off through across along around between among
  against during before after behind beside near inside outside above below within toward towards upon via per than until till
  and or but nor so if then because although though while since whereas however yet also too either neither
  just only even still already really very quite pretty rather so much more most less least lot lots bit kind sort
  actually basically honestly definitely probably maybe perhaps certainly obviously absolutely totally completely simply especially
  yes yeah yep yup no not never nobody none nothing nowhere nope ok okay oh wow haha lol hmm well hi hello hey thanks thank please sorry
  anymore longer ever again now today currently recently lately ago always sometimes often usually
  thing things stuff something anything everything someone anyone everyone way
  like get go let
  us na gonna wanna wish
  several various few many all single whole kinda sorta whatever
`);

/** Prepositions, which end a subject and open what is said beside it. */
const PREPOSITIONS = wordSet(
  "of to in on at by for from with about as into onto over under through across along around between among against during before after behind beside near inside outside above below within toward towards upon without",
);

/** Verbs that stand behind a subject without another verb between them: `the build takes`. */
const COMMON_VERBS = baseSet(`
  use take run need require support prefer like love hate enjoy dislike live work listen speak know own drive play study start end
  cost contain include store deploy return expect allow happen want eat drink read write make get go see come keep give help mean
  become seem look feel think believe say tell ask call wear buy sell pay build create handle send receive accept reject provide
  offer follow lead manage maintain host serve depend belong consist last weigh measure stay travel teach learn attend visit meet
  commit merge fail pass break fix ship target compile import export depend default point connect log cache encrypt retry expire
`);

const AUXILIARIES = wordSet("be do have will would shall should can could may might must");

/** How much of a thing, before `of`. */
const MEASURES = wordSet(
  "group crowd couple pair cluster bunch number piece slice strip bowl cup glass bottle can box bag part type bit set team",
);

export function isMeasure(base: string): boolean {
  return MEASURES.has(base);
}

export function isEmpty(base: string): boolean {
  return EMPTY.has(base);
}

export function isPreposition(base: string): boolean {
  return PREPOSITIONS.has(base);
}

/** A word that takes a verb behind it: `is`, `does`, `have`, `can`. */
export function isAuxiliary(base: string): boolean {
  return AUXILIARIES.has(base);
}

/** A verb that may end a subject. */
export function isCommonVerb(base: string): boolean {
  return COMMON_VERBS.has(base);
}
