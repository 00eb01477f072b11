/** Irregular forms, each with its base form: `was be`. A word that only looks inflected is its own base form. */
const IRREGULAR = new Map(
  `am be|is be|are be|was be|were be|been be|being be|has have|had have|having have|does do|did do|done do|doing do
  went go|gone go|goes go|ate eat|eaten eat|drank drink|drunk drink|ran run|running run|swam swim|swum swim|sang sing|sung sing
  began begin|begun begin|took take|taken take|gave give|given give|saw see|seen see|came come|became become|knew know|known know
  grew grow|grown grow|threw throw|thrown throw|flew fly|flown fly|drew draw|drawn draw|wrote write|written write|rode ride|ridden ride
  drove drive|driven drive|rose rise|risen rise|spoke speak|spoken speak|broke break|broken break|chose choose|chosen choose
  froze freeze|frozen freeze|stole steal|stolen steal|woke wake|woken wake|wore wear|worn wear|tore tear|torn tear|bore bear
  fell fall|fallen fall|got get|gotten get|forgot forget|forgotten forget|sat sit|sitting sit|stood stand|understood understand
  lay lie|lain lie|laid lay|lying lie|dying die|tying tie|won win|spun spin|hung hang|held hold|told tell|sold sell|felt feel
  kept keep|slept sleep|swept sweep|left leave|met meet|meeting meeting|read read|led lead|fed feed|bled bleed|built build|sent send
  spent spend|lent lend|lost lose|made make|paid pay|said say|heard hear|bought buy|brought bring|thought think|taught teach
  caught catch|fought fight|sought seek|found find|bound bind|ground grind|dealt deal|meant mean|dug dig|struck strike|stuck stick
  swung swing|shot shoot|shook shake|shaken shake|hid hide|hidden hide|bit bite|bitten bite|beaten beat|wound wind|dove dive|bent bend
  men man|women woman|children child|kids kid|people person|mice mouse|feet foot|teeth tooth|geese goose|lives live|wives wife
  knives knife|leaves leaf|halves half|loaves loaf|shelves shelf|wolves wolf
  better good|best good|worse bad|worst bad|less little|further far|farther far|movies movie|cookies cookie|zombies zombie
  ties tie|tied tie|untied untie|untying untie|unties untie|died die|lied lie|dies die|lies lie|news news|this this|his his|its its|us us|always always|sometimes sometimes|perhaps perhaps|series series
  species species|clothes clothes|jeans jeans|pants pants|glasses glasses|scissors scissors|physics physics|mathematics mathematics
  maths math|during during|morning morning|evening evening|nothing nothing|something something|anything anything|everything everything
  wedding wedding|building building|ceiling ceiling|clothing clothing|need need|speed speed|feed feed|seed seed|breed breed|weed weed
  exceed exceed|succeed succeed|proceed proceed|bleed bleed|indeed indeed|bus bus|gas gas|yes yes|plus plus|tennis tennis|chess chess
  visited visit|visiting visit|edited edit|editing edit|opened open|opening open|listening listen|listened listen|moving move
  using use|used use|added add|adding add|owed owe|owing owe|owes owe|shoes shoe|tomatoes tomato|potatoes potato|heroes hero
  changing change|changed change|arranging arrange|arranged arrange|lounging lounge|exchanged exchange|challenging challenge
  creating create|created create|hating hate|colored color|coloured color|colour color|favourite favorite|favored favor
  buses bus|classes class|glass glass|caching cache|cached cache|aches ache|ached ache|breathing breathe|bathing bathe|drying dry
  singing sing|ringing ring|bringing bring|hanging hang|cheetahs cheetah|ones one|others other|addresses address|married marry
  dieted diet|quitting quit|agreed agree|freed free|tired tired|boring boring|interesting interesting|exciting exciting
  amazing amazing|charming charming|interested interest|bored bored|excited excited|worried worry|divorced divorce|retired retire
  completed complete|completing complete|competing compete|competed compete|deleted delete|deleting delete|exploded explode|exploding explode
  invited invite|inviting invite|excludes exclude|encoded encode|downloaded download|loaded load|upgraded upgrade|upgrading upgrade
  decoded decode|closed close|closing close|practising practice|practised practice|practise practice|organised organize|recognised recognize`
    .split(/[|\n]/)
    .map((pair) => pair.trim().split(" ") as [string, string]),
);

const VOWEL_GROUPS = /[aeiouy]+/g;
/** Consonant, one vowel, consonant. Without an `e` in the base form, the last letter would be doubled. */
const SHORT_END = /(?:^|[^aeiou])[aeiouy][^aeiouywx]$/;
const LOST_E =
  /(?:[vczu]|[^aeo]at|[^aeiou]ir|[^aeio]ar|[^aeo]id|[^aeo]in|[aeiou]g|[rd]g|[bptdgkfz]l|[^s]s|[^aeio]or|[^aeo]ur|[^aeo]ut|y[rp])$/;
const DOUBLED = /([bdgkmnprt])\1$/;

/**
 * The dictionary form of an English word in lower case: inflection is removed, so "slicing" and "sliced" give "slice"
 * and "knives" gives "knife". Only meant for comparison: the form of an unknown word may not be a word. Words in other
 * scripts are returned unchanged.
 *
 * @example
 * baseForm("went"); // "go"
 */
export function baseForm(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("men")) return `${word.slice(0, -2)}an`;
  if (word.endsWith("ied")) return `${word.slice(0, -3)}y`;
  if (word.endsWith("ed") && !word.endsWith("eed")) return unsuffixed(word, word.slice(0, -2));
  const one = singular(word);
  if (!one.endsWith("ing")) return one;
  return IRREGULAR.get(one) ?? unsuffixed(one, one.slice(0, -3));
}

function singular(word: string): string {
  if (!word.endsWith("s") || /(?:ss|us|is|ous)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** The part before `ing` or `ed`, with a doubled letter removed or a lost `e` restored. */
function unsuffixed(word: string, stem: string): string {
  const syllables = stem.match(VOWEL_GROUPS)?.length ?? 0;
  if (syllables === 0 || stem.length < 2) return word;
  if (DOUBLED.test(stem)) return stem.slice(0, -1);
  if (syllables === 1 && stem.length >= 3 && SHORT_END.test(stem)) return `${stem}e`;
  return LOST_E.test(stem) && !/(?:ss|us)$/.test(stem) ? `${stem}e` : stem;
}

type Rule = readonly [suffix: string, replacement: string];

const STEP_2 = readRules(`
  ational>ate ization>ize iveness>ive fulness>ful ousness>ous tional>tion biliti>ble entli>ent ousli>ous ation>ate
  alism>al aliti>al iviti>ive enci>ence anci>ance izer>ize alli>al ator>ate logi>log bli>ble eli>e`);
const STEP_3 = readRules(`icate>ic ative> alize>al iciti>ic ical>ic ness> ful>`);
const STEP_4 = readRules(
  "ement> ance> ence> able> ible> ment> ant> ent> ism> ate> iti> ous> ive> ize> ion> al> er> ic> ou>",
);

/** Rules such as `ational>ate`: a suffix and its replacement. */
function readRules(rules: string): readonly Rule[] {
  return rules
    .trim()
    .split(/\s+/)
    .map((rule) => {
      const [suffix = "", replacement = ""] = rule.split(">");
      return [suffix, replacement];
    });
}

/** The rules by their last letter, in the same order: longest first, "ement" before "ment" before "ent". */
function byLastLetter(rules: readonly Rule[]): ReadonlyMap<string | undefined, readonly Rule[]> {
  return Map.groupBy(rules, ([suffix]) => suffix.at(-1));
}

const [SUFFIXES_2, SUFFIXES_3, SUFFIXES_4] = [byLastLetter(STEP_2), byLastLetter(STEP_3), byLastLetter(STEP_4)];
/** Last letters of words that no rule changes. */
const UNCHANGED = /[abfhjkopqvwxz]$/;

export interface StemOptions {
  /** Reduces the word to its base form first, so that "went" and "goes" have the stem of "go" (default: false). */
  readonly irregular?: boolean;
}

/** Maximum number of cached stems. The cache is cleared at this size. */
const MAX_CACHED = 50_000;
const cached = new Map<string, string>();

/**
 * The stem of an English word in lower case by Porter's rules of 1980: "painted", "paints" and "painting" share one.
 * Words in other scripts are returned unchanged. Stems are part of stored fingerprints and search entries: a change
 * here needs a migration.
 *
 * @example
 * stem("optimizations"); // "optim"
 * stem("bought", { irregular: true }); // "bui", like "buy"
 */
export function stem(word: string, { irregular = false }: StemOptions = {}): string {
  if (irregular) return stem(baseForm(word));
  if (!hasStem(word)) return word;
  const known = cached.get(word);
  if (known !== undefined) return known;
  if (cached.size >= MAX_CACHED) cached.clear();
  const result = applyRules(word);
  cached.set(word, result);
  return result;
}

/** The stem of the base form, not cached: for variants of words, most of which are no words. */
export function stemOfVariant(variant: string): string {
  const base = baseForm(variant);
  return hasStem(base) ? applyRules(base) : base;
}

function hasStem(word: string): boolean {
  return word.length >= 3 && /^[a-z]+$/.test(word) && !UNCHANGED.test(word);
}

function applyRules(word: string): string {
  const inflected = turnY(dropPastAndGerund(dropPlural(word)));
  return dropE(dropSuffix(replaceSuffix(replaceSuffix(inflected, SUFFIXES_2), SUFFIXES_3)));
}

function dropPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss")) return word;
  return word.slice(0, word.endsWith("sses") || word.endsWith("ies") ? -2 : -1);
}

function dropPastAndGerund(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const length = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const left = word.slice(0, -length);
  return length === 0 || !hasVowel(left) ? word : repairStem(left);
}

/** Restores the end of a word: "hopp" to "hop", "hop" to "hope", "conflat" to "conflate". */
function repairStem(left: string): string {
  if (/(at|bl|iz)$/.test(left)) return `${left}e`;
  if (/([^aeioulsz])\1$/.test(left)) return left.slice(0, -1);
  return measure(left) === 1 && endsShort(left) ? `${left}e` : left;
}

function turnY(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type RulesByLetter = ReturnType<typeof byLastLetter>;

function findRule(word: string, rules: RulesByLetter): Rule | undefined {
  return rules.get(word.at(-1))?.find(([suffix]) => word.endsWith(suffix));
}

function replaceSuffix(word: string, rules: RulesByLetter): string {
  const rule = findRule(word, rules);
  if (rule === undefined) return word;
  const left = word.slice(0, -rule[0].length);
  return measure(left) > 0 ? left + rule[1] : word;
}

function dropSuffix(word: string): string {
  const [suffix] = findRule(word, SUFFIXES_4) ?? [];
  if (suffix === undefined) return word;
  const left = word.slice(0, -suffix.length);
  const goes = measure(left) > 1 && (suffix !== "ion" || /[st]$/.test(left));
  return goes ? left : word;
}

function dropE(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const left = result.slice(0, -1);
    const count = measure(left);
    if (count > 1 || (count === 1 && !endsShort(left))) result = left;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** Calls `next` for each letter. A y after a consonant is a vowel. */
function eachLetter(word: string, next: (isVowel: boolean) => void): void {
  let isVowel = true;
  for (const letter of word) {
    isVowel = letter === "y" ? !isVowel : "aeiou".includes(letter);
    next(isVowel);
  }
}

/** Number of vowel-consonant sequences. */
function measure(word: string): number {
  let [count, wasVowel] = [0, false];
  eachLetter(word, (isVowel) => {
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  });
  return count;
}

function hasVowel(word: string): boolean {
  let found = false;
  eachLetter(word, (isVowel) => {
    found ||= isVowel;
  });
  return found;
}

/** True if a word ends with consonant, vowel, consonant, as in "hop", but not in w, x or y. */
function endsShort(word: string): boolean {
  if (word.length < 3) return false;
  const ends: boolean[] = [];
  eachLetter(word, (isVowel) => ends.push(isVowel));
  const [before, middle, last] = ends.slice(-3);
  return before === false && middle === true && last === false && !/[wxy]$/.test(word);
}
