import { baseFormSet } from "../../../language/stem.ts";

/** Words that exclude each other, left of the bar and right of it. Bases only. */
const OPPOSITES = `
  near close beside next nearby by in | far distant
  near close | away
  inside indoors within indoor | outside outdoors outdoor
  in into | out
  on onto | off
  up | down
  before | after
  above over | below under beneath
  front ahead | behind back
  left | right
  north northern | south southern
  east eastern | west western
  with | without
  day daytime | night nighttime
  morning | evening
  early earlier | late later
  first | last
  always constantly everytime | rarely seldom
  often frequently regularly usually | rarely seldom
  many lots plenty numerous much | few little
  more | less fewer
  most | least
  increase raise rise grow gain | decrease reduce lower fall drop shrink lose decline
  high | low
  big large huge giant enormous great | small little tiny
  long | short brief
  tall | short
  wide broad | narrow
  thick | thin
  deep | shallow
  heavy | light
  full crowded crowd busy packed | empty deserted
  fast quick rapid quickly swift rapidly | slow slowly
  young | old elderly
  new modern recent | old ancient antique outdated
  hot warm heat | cold cool chilly freezing
  wet | dry
  light bright sunny | dark
  hard | soft
  rough | smooth
  loud noisy | quiet silent
  clean | dirty muddy
  strong | weak
  hard difficult tough challenging complicated complex | easy simple effortless straightforward
  safe secure | dangerous unsafe risky insecure
  healthy well | sick ill unhealthy unwell
  rich wealthy | poor broke
  expensive costly pricey | cheap free inexpensive
  open | close shut closed
  start begin launch resume | stop end finish quit cease
  enable activate allow permit | disable deactivate forbid ban prohibit block
  accept agree approve | reject refuse decline disagree disapprove
  include add insert | exclude remove delete omit
  put apply wear | remove
  fill | empty
  win | lose
  pass succeed success | fail failure
  hit catch strike | miss
  buy | sell
  give lend | take borrow
  push | pull
  lift raise | lower
  arrive come enter | leave depart exit
  remember | forget
  find | lose
  save | spend waste
  build create | destroy demolish
  tighten | loosen
  love like enjoy adore | hate dislike despise loathe detest
  follow chase | shun avoid
  look watch listen notice | ignore
  play use hold | put-away put-down
  set-up | put-away take-down
  pick-up hold-up lift | put-down
  ride | fall-off
  get-on get-in | get-off get-out
  put-on | take-off
  turn-on switch-on | turn-off switch-off
  work function | break broken crash
  talk speak sing | silent
  eat | fast starve
  sleep asleep | awake wake
  stop | run go
  stay remain | leave go
  alive live | dead die
  married marry | single divorce unmarried divorced
  alone | together
  same identical | different
  true correct right | false wrong incorrect
  possible | impossible
  legal | illegal
  public | private
  local | remote global
  internal | external
  manual manually | automatic automated automatically
  static | dynamic
  synchronous sync | asynchronous async
  mutable | immutable
  optional | required mandatory
  minimum | maximum
  positive optimistic | negative pessimistic
  happy glad cheerful joyful | sad unhappy miserable depressed
  calm relaxed | angry furious nervous anxious stressed
  confident | insecure unsure
  brave | afraid scared
  kind nice friendly polite | mean rude unfriendly nasty
  honest | dishonest
  smart clever intelligent | stupid dumb
  lazy | hardworking active
  beautiful pretty handsome | ugly
  interesting exciting fun fascinating | boring dull
  important significant essential | unimportant trivial insignificant unnecessary
  popular | unpopular
  introvert introverted shy quiet | extrovert extroverted outgoing
  vegetarian vegan | carnivore
  urban city | rural countryside
  permanent | temporary
  employed | unemployed jobless
  friend ally | enemy
  gather | scatter
  tie | untie
  lock | unlock
  plug | unplug
  dress | undress
  tabs tab | spaces space
  dark | light
  climb ascend climb-up | descend get-down climb-down
  lift raise | pull-down put-down drop lower
  set-up put-up assemble | put-away take-down disassemble dismantle
  stand-up get-up | sit-down lie-down
  board mount | disembark dismount get-off
  sit | get-off get-up stand-up
  ride | get-off get-out
  attach connect join link | detach disconnect separate unlink
  load | unload
  wrap cover | unwrap uncover
  fold | unfold
  roll | unroll
  pack | unpack
  tie fasten | untie unfasten
  button zip | unbutton unzip
  hide conceal | show reveal display
  appear | disappear vanish
  float swim | sink drown
  freeze | melt thaw
  heat warm | cool chill
  wash clean | soil dirty
  laugh smile giggle | cry frown weep
  whisper murmur | shout yell scream
  attack | defend protect
  praise compliment | criticize insult
  reward | punish
  help support assist | hinder oppose hurt
  advance | retreat
  expand widen extend | contract shrink narrow shorten
  strengthen | weaken
  import | export
  upload | download
  encrypt | decrypt
  encode | decode
  compress | decompress
  install | uninstall
  subscribe | unsubscribe
  follow | lead
  trust believe | distrust doubt mistrust
  admit confess | deny
  obey | disobey
  encourage | discourage
  approach | leave avoid
  face | turn-away
  keep retain | discard throw-away
  raw uncooked | cooked
  sweet | sour bitter
  sharp | blunt
  straight | curly crooked
  sunny | rainy cloudy
  summer | winter
  sunrise dawn | sunset dusk
  still motionless | moving
  wild | tame
  sober | drunk
  calmly gently softly carefully | wildly violently roughly carelessly recklessly
  happily joyfully | sadly
  loudly | quietly silently softly
  together | apart separately
  upward upwards uphill | downward downwards downhill
  forward forwards | backward backwards
  towards toward | away
  success | failure
  half | whole full
  crowded | deserted
  clothed dressed | naked nude
  bald | hairy
  shirtless | shirt
  barefoot | shoe
  vertical | horizontal
  amateur | professional
  odd | even
  allergic | immune
  sighted | blind
  guilty | innocent
  visible | invisible
  online | offline
  paid | free unpaid
  deprecated obsolete | current supported
  stateless | stateful
  monolith | microservices microservice
  serial sequential | parallel concurrent
  strict | lenient loose
  left-handed | right-handed
  morning | night
  glad | sorry upset
  healthy | unhealthy
  confused | clear
`;

const SIDES = OPPOSITES.trim()
  .split("\n")
  .map((line) => line.split("|").map((side) => baseFormSet(side)));

/** For each word the words that it excludes. */
const EXCLUDED = new Map<string, Set<string>>();
for (const [left = new Set<string>(), right = new Set<string>()] of SIDES) {
  for (const word of left) exclude(word, right);
  for (const word of right) exclude(word, left);
}

function exclude(word: string, others: ReadonlySet<string>): void {
  EXCLUDED.set(word, new Set([...(EXCLUDED.get(word) ?? []), ...others]));
}

/** Whether what one base says rules out what the other says: `near` and `far`, `agree` and `disagree`. */
export function areAntonyms(a: string, b: string): boolean {
  return EXCLUDED.get(a)?.has(b) === true || isPrefixed(a, b) || isPrefixed(b, a);
}

/** `unhappy` for `happy`, `nonsmoker` for `smoker`. */
function isPrefixed(word: string, base: string): boolean {
  if (base.length < 4 || !word.endsWith(base)) return false;
  return /^(?:un|in|im|ir|il|dis|non-?|anti-?)$/.test(word.slice(0, word.length - base.length));
}
