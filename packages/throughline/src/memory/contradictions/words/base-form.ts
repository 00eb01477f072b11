/** Forms that no rule finds, each with its base: `was be`. */
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
/** Consonant, one vowel, consonant: an ending that would have been doubled, had the base no `e`. */
const SHORT_END = /(?:^|[^aeiou])[aeiouy][^aeiouywx]$/;
const LOST_E =
  /(?:[vczu]|[^aeo]at|[^aeiou]ir|[^aeio]ar|[^aeo]id|[^aeo]in|[aeiou]g|[rd]g|[bptdgkfz]l|[^s]s|[^aeio]or|[^aeo]ur|[^aeo]ut|y[rp])$/;
const DOUBLED = /([bdgkmnprt])\1$/;

/**
 * The base of a word in lower case: `slicing` and `sliced` give `slice`, `knives` gives `knife`. It is meant for
 * comparison: both sides go the same way, so a base that is no word does no harm.
 */
export function baseForm(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (/[a-z]{2}men$/.test(word)) return `${word.slice(0, -2)}an`;
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

/** What stands before `ing` or `ed`, with the letter that was doubled or lost. */
function unsuffixed(word: string, stem: string): string {
  const syllables = stem.match(VOWEL_GROUPS)?.length ?? 0;
  if (syllables === 0 || stem.length < 2) return word;
  if (DOUBLED.test(stem)) return stem.slice(0, -1);
  if (syllables === 1 && stem.length >= 3 && SHORT_END.test(stem)) return `${stem}e`;
  return LOST_E.test(stem) && !/(?:ss|us)$/.test(stem) ? `${stem}e` : stem;
}
