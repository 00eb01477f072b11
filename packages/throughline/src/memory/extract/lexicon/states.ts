import { wordSet } from "../../../language/word-lists.ts";

/** Adjectives that say what somebody is and not how they feel today. */
export const LASTING_STATES = wordSet(`
  married single divorced widowed engaged separated retired unemployed self-employed employed vegan vegetarian pescatarian
  pregnant gay straight lesbian bisexual bi trans transgender nonbinary asexual queer blind deaf disabled diabetic colorblind
  dyslexic autistic left-handed right-handed ambidextrous religious christian catholic muslim jewish hindu buddhist mormon
  atheist agnostic protestant spiritual shy introverted extroverted outgoing homeschooled adopted bilingual trilingual
  lactose-intolerant lactose gluten-free kosher sober bald blonde blond brunette redheaded athletic tall short overweight
  musical artistic bipolar anemic handicapped paralyzed orphaned homeless conservative liberal republican democrat celibate
  claustrophobic nearsighted color-blind deceased dead
  american british english irish scottish welsh canadian mexican brazilian argentinian chilean colombian cuban peruvian
  french german italian spanish portuguese dutch belgian swiss austrian polish czech hungarian romanian bulgarian greek
  turkish russian ukrainian swedish norwegian danish finnish icelandic indian pakistani bangladeshi chinese japanese korean
  vietnamese thai filipino indonesian malaysian australian egyptian moroccan nigerian kenyan ghanaian ethiopian iranian
  iraqi israeli lebanese syrian saudi asian african european hispanic latino latina native half`);

/** Beginnings of states that are tastes. */
export const TASTE_STATES =
  /^(?:(?:more |most |mainly |mostly )?into|(?:more |most )?(?:fond|afraid|scared|terrified|frightened) of|(?:more )?(?:obsessed|fascinated|in love) with|addicted to|allergic to|(?:more |most )?interested in|passionate about|crazy about|partial to|(?:a |an )(?:(?:huge|big|massive|real|true|avid|die-?hard|lifelong|major|great) )?(?:fan|lover|fanatic|fans) (?:of|for)|(?:a |an )[\w\s-]{2,30} (?:fan|lover|person|fanatic|buff|addict|enthusiast|nerd|geek)$)\b/i;

/** Beginnings of what somebody is, beside nouns and adjectives. */
export const LASTING_BEGINNINGS =
  /^(?:(?:originally )?from (?!far|there|here|an?\b|the (?:same|area))|based in|located in|native to|(?:really |very |pretty |quite |so )?(?:good|great|bad|terrible|horrible|amazing|skilled|awful|best) at|(?:the|an?) (?:oldest|youngest|eldest|middle|only child|first|second|third)\b|the (?:mother|father|proud|owner|manager|ceo|cto|head|founder|president|director|author|lead|leader) |one of \w+|part of |member of |named |called |\d+(?:\.\d+)? ?(?:feet|foot|ft|cm|inches|')|(?:five|six) (?:feet|foot)|(?:almost |nearly |over |about |only |just )?\d{1,3}(?: (?:years?|yrs?)[ -]old)?$|(?:almost |nearly |over |about |only |just )?\d{1,3}(?: years?| yrs?)|working (?:as|at|in|for)\b|getting married|getting divorced|going to (?:be|become) (?:a|an) )/i;

/** Places one is in for long, and others where one is for the moment. */
export const IN_FOR_LONG =
  /^(?:in|at|on) (?:(?:my|the|an?) )?(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|final|last|junior|senior|freshman|sophomore|high|middle|elementary|med|medical|law|grad|graduate|nursing|college|university|school|kindergarten|grade|army|navy|marines?|air force|military|reserves|national guard|remission|recovery|rehab|band|choir|orchestra|team|club|wheelchair|keto|diet|medication|disability|real estate|sales|it|hr|marketing|finance|construction|insurance|retail|twenties|thirties|forties|fifties|sixties|seventies|eighties|\d0s|(?:early|mid|late) |therapy|debt|foster|food|business|tech|security|entertainment|music|fashion|process of|city|country|suburbs|south|north|midwest|east coast|west coast|[A-Z][a-z]+)/;

export const FOR_THE_MOMENT =
  /\b(?:mood|bed|kitchen|hurry|trouble|middle|shower|awe|shock|pain|tears|luck|charge|agreement|line|bathroom|couch|moment|phone|way|fence|edge|computer|laptop|same|favor|need|touch|here|today|tonight|tomorrow|minute)\b/i;

/** What somebody thinks of themselves, and what is only half true. */
export const EVALUATED =
  /^an? (?:(?:very|really|pretty|quite|so|rather|total|complete|real|such) )?(?:bit|little|kind|sort|tad|good|great|nice|bad|terrible|horrible|awful|boring|lonely|happy|sad|lucky|huge|big|hopeless|average|simple|normal|regular|ok|okay|decent|fast|slow|hard|wild|crazy|weird|cool|fun|picky|lazy|messy|product|cut|winner|mess|disaster|natural|better|guy who|girl who|person who|one)\b(?! (?:fan|lover|fanatic)\b)|\b(?:kind|sort) of (?:an? )?(?:girl|guy|person|gal|man|woman)\b|\bof sorts\b/i;

/** What somebody was, and what that still says of them. */
export const LASTING_PASTS =
  /^(?:(?:born|raised) (?:and raised )?(?:in|on|by|at)|adopted|diagnosed with|homeschooled|an? (?!bit|little|lot|kid|child|baby|teen|good|great|bad|huge|big|nice|long))/i;

/** Objects of taste that say how somebody feels about what they have, or what they make of a choice. */
export const OF_THE_MOMENT =
  /^(?:an? |(?:my|our) (?!own)|(?:option|approach|solution|variant|version|idea|plan|choice|number|answer)s?\b|to (?:know|think|say|believe|hear)\b|(?:knowing|thinking|hearing)\b)/i;

/** Things that all know, as opposed to those of which the conversation tells which. */
export const KNOWN_TO_ALL =
  /^[Tt]he (?:\p{Lu}|beach|outdoors|colou?rs?|internet|ocean|sea\b|water|mountains?|cold|heat|sun|rain|snow|band|movies?|shows?|song|series|books?|summers?|winters?|fall|autumn|spring|gym|piano|guitar|violin|drums|city|country|arts?\b|theat(?:er|re)|game|taste|smell|sport)/u;
