import { wordSet } from "../../../language/word-lists.ts";

/** Verbs of taste: what follows them is liked, or not. */
export const TASTES = wordSet(`
  like love enjoy adore prefer hate dislike loathe despise detest dread fear crave`);

/** What somebody does as a habit or for a living when they say it in the simple present. */
export const HABITS = wordSet(`
  attend babysit bake bike bowl box breed camp climb coach collect commute compete cook craft crochet cycle dance design dive
  donate draw drive exercise farm fish foster garden golf grow hike homeschool hunt jog juggle knit listen live
  manage meditate mentor model major own paint perform play practice practise produce program race raise repair reside
  restore ride run sail sculpt sell serve sew sing skate skateboard ski smoke snowboard speak stream study surf swim teach
  train travel tutor volunteer walk watch weigh work wrestle write`);

/** Habits that say something without an object. */
export const BARE_HABITS = wordSet(`
  bake bowl camp climb cook crochet dance dive draw fish garden golf hike hunt jog knit meditate paint sail sew sing skate
  ski smoke surf swim volunteer`);

/** What it says something about somebody not to do. */
export const ABSTENTIONS = wordSet("drink drive eat own smoke speak work cook play listen watch");

/** What somebody did for long, and does no more. */
export const FORMER = wordSet("be have work live play teach own smoke drink dance run serve coach date model");

/** What is still going on, and lasts, when somebody is doing it. */
export const LASTING = wordSet(`
  dating expecting farming fostering freelancing homeschooling interning learning living majoring managing pursuing studying
  taking teaching training volunteering working`);

/** Things that happened once and hold ever after. */
export const MILESTONES = wordSet(`
  adopted became divorced emigrated enlisted founded graduated grew immigrated inherited invented joined lived lost majored
  married moved owned published quit retired served studied switched taught worked wrote changed played started
  got`);

/** What somebody has done for long or at some time, and what that says of them. */
export const DONE = wordSet(`
  adopted lived loved married moved owned played published retired served studied taught visited worked written enjoyed
  hated collected`);

/** What one goes on doing for years. */
export const LONG_DEEDS = wordSet(`
  working living playing teaching studying learning dating running practicing coaching collecting volunteering writing
  painting`);

/** Skills: "can" before one of these is something to know about somebody. */
export const SKILLS = wordSet(`
  code play program speak eat drink stand`);

/** Adverbs that may stand between the subject and its verb. Those that change what is said stay in the fact. */
export const LIGHT_ADVERBS = wordSet(`
  really just also actually definitely absolutely truly totally personally honestly certainly especially particularly
  simply even do too so very both obviously basically literally seriously genuinely pretty quite sure surely
  already finally recently now`);
export const KEPT_ADVERBS = wordSet(`
  still currently mostly mainly usually always often only sometimes rarely seldom normally typically generally frequently
  regularly occasionally primarily presently professionally formerly originally hardly barely`);

/** Verbs that take back what they govern, or put it off. */
export const AUXILIARIES = wordSet(`
  would could should might may must will shall wish hope guess think suppose bet need try had did didn't wouldn't
  couldn't shouldn't won't shan't mustn't`);
