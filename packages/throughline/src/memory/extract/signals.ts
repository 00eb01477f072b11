import { foldText, phrasePattern } from "../../language/words.ts";
import type { PendingFact } from "../../ports/memory.ts";

/**
 * A linguistic form that shows that a clause applies beyond the moment (positive weight) or does not (negative
 * weight). No signal is about a topic: they are adverbs of frequency, quantifiers, modal verbs, the habitual present
 * after "we", deixis and the like. Phrases are patterns over folded text, separated by a comma and a space.
 */
interface Signal {
  readonly weight: number;
  readonly en: string;
  /** German, Spanish, French, Portuguese. */
  readonly others?: string;
  /** Chinese, Japanese; matched inside of words. */
  readonly pieces?: string;
}

/** The beginning of a clause, after conjunctions and interjections. */
const START = String.raw`(?<=(?:^|[.,;:(–—-] )\P{L}{0,4}(?:(?:and|so|but|ok|okay|yes|yeah|no|oh|ah|also|then|now|please|just|btw|fyi|because|since|as|why|here|well|und|aber|bitte|y|pero|et|mais|e|mas|que),? ){0,3})`;
/** The beginning of the statement. */
const HEAD = String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|yes|yeah|no|oh|also|then|now|please|just|can you|could you|hey|hm+|bitte|jetzt),? ){0,3})`;
/** Not the beginning of the statement. */
const INSIDE = HEAD.replace("(?<=", "(?<!");
/** Words between a subject and its verb. */
const ADVERB = String.raw`\p{L}+ly|also|now|just|always|never|often|still|only|all|both|even|usually|already|don't|do not|dont`;
const ADVERBS = `(?:(?:${ADVERB}) ){0,3}`;
/** Verbs after "we" that are not habits: auxiliaries, wishes, perceptions, and past forms. */
const NO_HABIT = String.raw`(?:are|were|was|be|had|have|has|did|do|does|can|cannot|could|should|shall|would|will|won't|might|may|must|need|needed|want|wanna|gotta|try|think|know|see|saw|seem|look|get|got|go|went|made|said|came|took|gave|wrote|ran|built|left|lost|sent|held|met|kept|spent|began|told|heard|won|brought|led|grew|chose|spoke|caught|broke|bought|drew|drove|fell|fought|hid|paid|read|sold|stood|taught|threw|last|feel|felt|mean|meant|discuss|talk|wait|hope|guess|wish|love|thought|knew|understand|remember|forget|forgot|not|end|start|continue|proceed|fix|find|found|care|mind|\p{L}+ed|${ADVERB})(?:n't)?(?!\p{L})`;
/** A clause or phrase before the subject: "when publishing (from a branch) we …". */
const FRONTED = String.raw`(?<=^\P{L}{0,4}(?:when|whenever|if|once|after|before|during|on|at|for) (?!(?:is|are|was|were|do|does|did|will|would|can|should) )[^,.;:?!]{3,80} )`;
const FAMILY =
  "wife|husband|partner|girlfriend|boyfriend|mother|father|mom|mum|dad|parents|sister|brother|son|daughter|kids?|child|children|dog|cat|boss|manager";
/**
 * Complements of "should" and "must" that express a guess or a vague wish: "should be fine", "should be more
 * consistent".
 */
const GUESS = String.raw`(?:(?:have|of) (?:been|had|got|\p{L}+ed)|say|love|feel|(?:also |now |still |already |just )*(?:be (?:so|very|really|quite|pretty|such|nice|great|cool|fun|tough|happy|fine|ok|okay|good|better|there|enough|easy|possible|done|able|working|ready|safe|simple|gone|off|quick|slow|exciting|more|less)|take|work|help|suffice|do|go|try)(?= |$|[.,!]))`;
/**
 * Verbs of actions in the conversation, with which a wish is about the next step: "let's look at it", "I want to know".
 */
const NEXT_STEP = String.raw`(?:to )?(?:(?:just|also|first|only|now|really) )?(?:be|make sure|see|look|have a look|check|know|understand|hear|try|test|start|begin|continue|proceed|go(?! (?:with|for))|come|do|fix|implement|investigate|run|commit|merge|push|open|move|talk|discuss|say|ask|tell|give|get|take|sort|tackle|find|figure|wait|think|finish|compact|review|read|visit|learn|suggest|thank|never|have to|keep \p{L}+ing|you|add (?:a|an|some|unit|tests?))(?!\p{L})`;
/** "This project" is not a deictic expression: it names the scope of a rule. */
const SCOPE =
  "repo|repository|project|codebase|team|company|monorepo|app|product|proyecto|equipo|projekt|projet|projeto";

const SIGNALS = {
  fromNowOn: {
    weight: 3,
    en: "from (?:now|today) on, (?:in (?:the )?|for the )future, going forward, (?<!the )next time, ever again",
    others:
      "kunftig, in zukunft, ab (?:jetzt|sofort|heute), de ahora en adelante, a partir de ahora, desormais, dorenavant, a l'avenir, a partir de maintenant, daqui (?:para|pra|em) (?:a )?(?:frente|diante), de agora em diante, a partir de agora",
    pieces: "以后, 从现在, 今后, 今後, これから, 以降",
  },
  /** Orders that begin with "always" or "never", defaults and conventions. */
  standing: {
    weight: 2,
    en: String.raw`${HEAD}(?:(?:always|never) (?!mind|\p{L}+ (?:is|are) )\p{L}{2,}(?<!s|ed)(?![\p{L}'])|when you (?!are|have|get|finish|need|see|come|go|can|want|say|said|think|look)\p{L}+), as a (?:general )?rule, a general (?:thing|rule), by (?:default|design|convention), on purpose, intentional(?:ly)?, (?:every ?time|whenever) you, at all times, ${START}no more`,
    others: String.raw`${HEAD}(?:immer|nie|niemals|siempre|nunca|toujours|jamais|sempre) \p{L}+, grundsatzlich, standardma(?:ss|ß)ig, absichtlich, por (?:norma|defecto), a proposito, par defaut, expres, por padrao, de proposito`,
    pieces: "统一, 一律, 默认, 基本的に, 統一, デフォルト, ルール",
  },
  always: {
    weight: 1.25,
    en: String.raw`(?<!(?:can|could|will|not|would|has|have|i) )(?:${INSIDE}(?:always|never)|always(?=$)), every (?:\p{L}+day|day|week|month|night|morning|year|time), (?:once|twice|\d+ times) a (?:day|night|week|month|year), usually, normally, in general, generally`,
    others:
      "immer(?! noch| wieder| mehr), nie, niemals, stets, jedes mal, generell, siempre, nunca, jamas, cada vez, en general, toujours(?! pas), jamais, chaque fois, systematiquement, sempre, toda vez, em geral",
    pieces: "总是, 始终, 永远, 从不, 每次, 都[用要得], 常に, 必ず, いつも, 毎回, 絶対",
  },
  every: {
    weight: 0.5,
    en: String.raw`all(?! (?:the|of|my|your|these|those)), every, each, any, no(?= [\p{L}_]), only, nobody, nothing, everyone, everything, everywhere, anything, when you, default, regardless`,
    others: String.raw`alle[nrs]?, alles, jede[rnsm]?, kein\p{L}{0,2}, nur, ausschlie(?:ss|ß)lich, tod[oa]s?(?! es), cada, ningun\p{L}?, nada, solo, unicamente, tous, toutes?, tout, chaque, aucune?, seulement, uniquement, tudo, nenhum\p{L}?, somente, apenas`,
    pieces: "所有, 每个, 任何, 全部, 只[用能许准在], すべて, 全て, 各, だけ, のみ",
  },
  /** A quantified subject with its verb: "each table has an owner". */
  universal: {
    weight: 1.5,
    en: String.raw`${START}(?:(?:all|any|every|each|no) (?!time|worr|need|idea|way|more|the|of|my|done|good|set|other|one|matter|wonder)(?:\S+ ){1,6}?(?:are|is|gets?|starts?|ends?|goes?|uses?|has|have|needs?|must|should|without|through|lives?|belongs?)|no \p{L}+s?(?= (?:in|on|anywhere|ever|please))|(?:i (?:only |also )?(?:want|expect|think(?: that)?)|i(?:'d| would) (?:like|love)) (?:all|every|each|no) (?!of|the|my|your|more)\p{L}+)`,
    others: String.raw`(?:alle|jede[rs]?|kein\p{L}*) (?:\p{L}+ ){1,4}?(?:muss|mussen|soll\p{L}*|darf|bekommt|haben|hat), (?:todos? l[oa]s|cada) (?:\p{L}+ ){1,4}?(?:debe[n]?|tienen?|van?), (?:tou(?:s|tes) les|chaque|aucune?) (?:\p{L}+ ){1,4}?(?:doit|doivent|a|ont), (?:todos? os|cada|nenhum\p{L}?) (?:\p{L}+ ){1,4}?(?:deve[m]?|tem)`,
    pieces: "^所有, ^全部, ^每个, ^すべて",
  },
  /** A plural subject in the present: "invoices have no comments". */
  generic: {
    weight: 0.75,
    en: String.raw`${START}(?:(?:our|new|most) )?(?:\p{L}+ )?\p{L}{3,}(?<!thi|ha|wa|i|it'|alway)s (?:(?:in|on|of|for|from|with|under|that|which) (?:\S+ ){1,4}?)?(?:are|go|follow|get|have|use|live|start|end|must|should|need|don't|do not|never|always|only|belong|stay|come|run|happen|require|cannot|can't), (?:don't|do not|dont|stop|avoid|no|without) (?:\p{L}+ ){0,2}?\p{L}{3,}(?<!i|s|u|thi|thing)s(?! ?yet)`,
  },
  /** A modal verb: "amounts must be integers". */
  duty: {
    weight: 1.5,
    en: String.raw`(?<!(?:you|i|one|he|she|they) (?:\p{L}+ )?)(?:must(?:n't)?|should(?:n't|nt)?|ought to)(?= )(?! ${GUESS}), needs to, (?<=s )need to, needs no, has to, (?:is|are|it's) (?:not )?(?:allowed|required|expected|forbidden|intended), let's not(?! (?:spend|worry|bother|overthink|rush|do (?:it|this|that)))`,
    others:
      "muss, mussen, soll(?:en|te|ten)?, darf, durfen, debe[n]?, deberia[n]?, hay que, tienen? que, doit, doivent, (?:il )?faut, deve[m]?, tem que, precisam?",
    pieces: "必须, 应该, 不得, 不能, べき, なければ",
  },
  /** An imperative that may be about the current task: "don't add comments". */
  instruction: {
    weight: 1,
    en: String.raw`have to, ${START}(?:make sure|ensure|remember to|don't forget to|avoid|stop \p{L}+ing|(?:don't|do not|dont) \p{L}+)`,
    others: String.raw`${START}no \p{L}+[ae]s, ne \p{L}+ pas, nao (?:use|faca|mexa)`,
    pieces: "禁止, 别用, 不要, 请, てはいけ, ないで",
  },
  norm: {
    weight: 1,
    en: "makes? (?:no |any )?sense to, (?:not|isn't|aren't) (?:great|good|nice|ideal|acceptable|worth), (?:bad|good) (?:idea|practice|style), (?:it's|is|are) better (?:to|if|for), the (?:idea|goal|intention|purpose|point) (?:is|of)",
    others: String.raw`macht (?:keinen )?sinn, keine gute idee, no tiene sentido, mejor \p{L}+r, pas de sens, il vaut mieux, nao faz sentido, e melhor`,
    pieces: "没有意义, 最好, ほうがよい",
  },
  preference: {
    weight: 2,
    en: String.raw`(?:i|we) (?:(?!would)\p{L}+ )?prefer(?! (?:the|this|that|your|option)), (?:i'?d|i would) rather(?! not), i (?:really |actually |do |much )*(?:like|love|hate|dislike|enjoy|can't stand)(?! (?:this|that|it|your|you|how|the|to|option)), i (?:really )?(?:don't|do not|dont) (?:like|enjoy)(?! (?:this|that|it|your|you|how|the)), i (?:never|(?:don't|do not|dont)(?! \p{L}+ (?:it|this|that|the|any))) (?:do|use|write|touch|commit|merge|want), not a fan, ${HEAD}prefer \S+, my (?:\p{L}+[- ])?favou?rite, (?:i'm|i am|im) an? [\p{L}-]+ (?:person|guy)`,
    others:
      "ich (?:bevorzuge|mag|hasse|liebe), lieber, am liebsten, prefiero, (?:no )?me (?:gusta|encanta)n?, odio, je prefere, j'aime, je (?:n'aime pas|deteste), prefiro, gosto, odeio, adoro",
    pieces: "喜欢, 讨厌, 偏好, (?:方|ほう)が(?:いい|良い|好き), 好き, 嫌い",
  },
  /** Style of the assistant's answers. */
  manner: {
    weight: 2,
    en: String.raw`(?:keep|make|write|give|use|no|less|fewer|stop|skip|without) (?:\S+ ){0,3}?(?:answers|replies|responses|explanations|emojis?|summaries), (?:answer|reply|respond|write|talk|speak)(?: to)?(?: me)? (?:\S+ ){0,2}?in (?!this|that|the|a|one|detail)\p{L}+(?=$|[.,;]), (?:british|american) (?:spelling|english)`,
    others: String.raw`antworte?n? (?:\S+ ){0,3}?(?:auf \p{L}+|kurz), responde(?:me)? (?:\S+ ){0,2}?en \p{L}+, reponds(?:-moi)? (?:\S+ ){0,2}?en \p{L}+, responda (?:\S+ ){0,2}?em \p{L}+`,
    pieces: "(?:回答|回复).{0,6}(?:用|简短|中文|英文), 用(?:中文|英文), (?:日本語|英語)で(?:答|返|書|お願い)",
  },
  /** A position on how something is to be. With a contrast, a reason or a limit, it is a decision. */
  stance: {
    weight: 1,
    en: `${START}(?:i(?:'d| would) (?:(?:also|really|only|just) )*(?:like|love|want|prefer)|i (?:(?:also|really|only|just) )*want|i(?:'d| would)|i think (?:we|the|all|each|every|that)|i (?:\\p{L}+ )?expect|ideally|my preference)(?! ${NEXT_STEP})`,
  },
  proposal: { weight: 0.75, en: `${START}(?:let's|lets)(?! ${NEXT_STEP})` },
  decision: {
    weight: 2,
    en: `${HEAD}(?:decided|agreed|settled)(?=:), (?<!(?:not|never|yet|be|was|were|is|to) )(?:decided|agreed|settled) (?:on|that|to)(?= ), (?:we(?:'ve| have)?|i've|i have|(?:team|client|board|everyone)(?: has)?) ${ADVERBS}(?:decided|agreed|settled|chose|chosen|opted|picked|dropped|switched|migrated|standardi[sz]ed|moved (?:to|from|off|everything|away)|went with|voted|removed|replaced), we take, we (?:will |'ll )?(?:go with|stay (?:on|with)|stick (?:to|with)), (?:we're|we are) (?:going (?:to|with)|dropping|switching|moving|getting rid of|keeping), (?:product|design|final) decision, decision(?=:), (?:is|are) (?:now )?(?:final|decided|deprecated|replaced by|renamed to)`,
    others:
      "(?:haben|habe) .{0,40}(?:entschieden|beschlossen|geeinigt), wir (?:bleiben bei|nehmen|wechseln|setzen auf), decidi(?:mos|do), acordamos, (?:nos )?quedamos, cambiamos, dejamos de, (?:on|nous) (?:a|avons) (?:decide|tranche|choisi|convenu|abandonne), on (?:garde|part sur|passe a|reste sur), (?:a gente|nos) (?:decidiu|fechou|vai de), ficamos com, combinamos, mudamos, migramos",
    pieces:
      "决定, 定了, 改用, 换成, 我们选, 決め(?:た|まし), ことにし(?:た|まし), に変更, 採用, に移行, やめ(?:た|まし)",
  },
  /** The habitual present: "we test with Vitest", "our staging is on Fly". */
  practice: {
    weight: 1.5,
    en: String.raw`(?:${START}(?:internally |today |currently )?|${FRONTED})we ${ADVERBS}(?!${NO_HABIT})\p{L}+, ${START}(?:our (?:\S+ ){1,4}?(?:is|are|lives?|runs?|uses?|goes|go|comes?|gets?|has|have)), the (?:team|company) ${ADVERBS}uses?, (?:we're|we are) (?:on|using|running|an?)(?= \p{L}), (?:i'm|i am) using, i use, (?:i'm|i am|we're) (?:building|developing) an?(?! (?:fix|test|feature|function|script|patch)), (?:is|are) (?:written|built|hosted|deployed|stored|kept|generated|managed|maintained|done|handled) (?:in|on|with|by|at|from|under|via)`,
    others: String.raw`wir (?!mussen|soll|konn|haben|hatten|sind|brauchen|wollen|werden|wurden|waren)(?:\p{L}+ ){0,2}?\p{L}+en, (?!mussen|soll|konn|haben|sind|brauchen|wollen|werden|wurden)\p{L}+en wir, unser(?:e|er|en|em)? \p{L}+ (?:ist|sind|lauft|liegt), bei uns, (?!vamos|tenemos|podemos|debemos|necesitamos|queremos|estamos|hemos)\p{L}{2,}[aei]mos, nuestr[oa]s? \p{L}+ (?:es|son|esta), on (?:n'|ne |\p{L}+[et] (?:le|la|les|des|du|avec|sur|pas|tout|en|toujours|nos))\P{L}?, nous (?!avons|sommes|allons|pouvons|devons|voulons)\p{L}+ons, chez nous, notre \p{L}+ (?:est|tourne), a gente (?!vai|tem|pode|precisa|quer|esta|foi)(?:nao )?\p{L}+, noss[oa]s? \p{L}+ (?:e|fica|roda)`,
    pieces:
      "我们.{0,10}(?:用|采用|部署|跑在|基于), 我们的, (?:うち|弊社|私たち|チーム|プロジェクト|リポジトリ)(?:は|では), 使って(?:い)?(?:ます|る)",
  },
  project: {
    weight: 0.75,
    en: `we, our, the team, here(?=,|$), (?:in|for|across) (?:this|the) (?:${SCOPE})`,
    others: `wir, in diesem (?:${SCOPE}), nosotros, en este (?:${SCOPE}), nous, dans ce (?:${SCOPE}), a gente, neste (?:${SCOPE})`,
    pieces: "我们, 这个项目, 项目里, 团队里, このプロジェクト, このリポジトリ",
  },
  definition: {
    weight: 2,
    en: String.raw`[\p{L}\p{N}_-]+ ={1,2} \p{L}[\p{L}\p{N}_-]*, stands for, also known as, (?<!(?:when|if|where|once|after|before) )we call, (?:let's|lets) call (?!me|you|it)\p{L}+, (?:the|our|my|this) (?:\S+ ){1,3}?(?:is|are) (?:now )?(?:called|named)(?= \p{L})`,
    others: "heisst, heißt, se llama, s'appelle, se chama",
    pieces: "叫做, 指的是, と呼(?:ぶ|んで|びます), という意味",
  },
  /** A command or a tool with its purpose or its time. */
  command: {
    weight: 1.25,
    en: String.raw`(?:run|use|call|with|via|through|by|is|mit|con|avec|com|ist|es|est) [\x60"][^\x60"]+[\x60"](?= (?:before|after|for|to|when|instead|every|vor|nach|fur|antes|despues|para|avant|apres|pour|depois)|$), [\x60"][^\x60"]+[\x60"] (?:does|runs|builds|starts|deploys|formats|checks|is (?:the|our)), (?:before|after|whenever) \p{L}+ing, ${HEAD}use (?!an? |the |this |that )(?:\S+ ){1,3}?(?:instead of|rather than|not|over) (?!an? |the |this |that |it)(?!.* for (?:the|this|that))\S+`,
  },
  /** A path, host or port of something. */
  place: {
    weight: 1.5,
    en: String.raw`(?:is|are|go|goes|lives?|belongs?|ist|sind|liegt|esta|estan|es|est|sont|fica|e) (?:only |always |now |stored |kept |in |im |under |at |on |en |em |dans |no |na |through |via |el |o )*[\x60'"]?(?=\S*\p{L})(?:[\p{L}\p{N}_-]*[./][\p{L}\p{N}_./-]+|\p{L}+-[\p{L}\p{N}-]*\p{N}[\p{L}\p{N}-]*|[a-z]+_[a-z_]+|port \d+)`,
  },
  role: {
    weight: 2,
    en: String.raw`(?<=^\P{L}{0,4}\p{L}+ |that (?:he|she|they) )(?:\p{L}+ly )?(?:prefers|owns|maintains|approves|reviews|handles|runs|signs off|takes care of), (?:is|are) (?:responsible for|in charge of), (?:is|=) (?:our |the |my )(?:\S+ ){0,2}?(?:lead|manager|owner|maintainer|designer|admin|engineer|developer|architect|contact|reviewer|boss)`,
  },
  /** Statements of people about themselves and those close to them. */
  self: {
    weight: 2,
    en: String.raw`(?:i'm|i am|im) (?:also |originally |currently )?(?:an?(?! (?:bit|little|lot))|from|on (?:an? )?(?:windows|linux|mac\p{L}*)|based in|allergic|married|single|vegan|vegetarian|celiac|diabetic|dyslexic|colou?r-?blind|deaf|retired|left-handed|new to|not an?|\d{2}(?= |$)), (?:call me|my name(?:'s| is)|i go by), my (?:\S+ ){0,2}?(?:name|user(?:name)?|handle|e-?mail(?: address)?|birthday|time ?zone|job|pronouns) is, (?:my|our) (?:\p{L}+ )?(?:${FAMILY})(?:'s name)?(?: \p{L}+)?(?: \(\d+\))?,? (?:only |never |always )?(?!is (?:really |very |so )?(?:sick|ill|here|coming|visiting|asking|waiting)|was|does|says|wants|asks|thinks|needs)(?:is|are|has|have|won't|wont|doesn't|doesnt|can't|\p{L}{3,}s), (?:i'm|i am) (?:living|working|studying) (?:in|at|for|as), i (?:also |currently |usually |mostly |only |always |never |still |do |no longer )*(?:live (?:in|with|near)|work (?:as|at|for|in|from|with|part|full)|teach|study|speak|own|was born|grew up|moved (?:to|from)|commute|volunteer|maintain), (?:i|we) (?:already |also )?have (?:an?|two|three|\d+) (?:\p{L}+ )?(?:${FAMILY}|dogs|cats|sons|daughters), i've been (?:an?|in|living|working|teaching|playing)(?= .*(?:years?|since|months)), i (?:\S+ ){1,6}?(?:every (?:day|morning|evening|week|night|month|year|\p{L}+day)|(?:\d+x|once|twice|\d+ times) (?:a|per) (?:day|week|month|year)), i (?:don't|do not|dont|never|can't|cannot) (?:drink|eat|smoke|drive|speak)`,
    others: String.raw`ich bin (?:eine?|\d+|aus|allergisch|vegan|\p{L}+(?:er|erin|ist|istin))(?! (?:sicher|gerade)), ich (?:wohne|lebe|arbeite|heisse|heiße|komme aus|spreche|studiere|esse kein\p{L}*|trinke kein\p{L}*), mein(?:e|er)? (?:name|frau|mann|sohn|tochter|kind(?:er)?|chef\p{L}*|mutter|vater|hund|katze) \p{L}+, soy (?:una?|de|alergic[oa]|\p{L}+(?:ista|or|ora|iano|iana)), vivo en, trabajo (?:de|en|como|con|para), me llamo, tengo (?:\d+|una?|dos|tres) (?:anos|hij\p{L}+|perr\p{L}+|gat\p{L}+), mi (?:nombre|mujer|marido|espos[oa]|jef[ea]|hij[oa]|madre|padre|herman[oa]|perr[oa]|gat[oa]) \p{L}+, no (?:como|bebo|fumo), je suis (?:une?|allergique|vegan|vegetarien\p{L}*|\p{L}+(?:eur|euse|ienne|iste)), j'habite, je (?:vis|travaille|m'appelle|parle|enseigne), j'ai (?:\d+ ans|une?|deux|trois) (?:enfants?|filles?|fils|chiens?|chats?), (?:ma|mon) (?:nom|femme|mari|fille|fils|mere|pere|soeur|frere|chien|chat|chef\p{L}*) \p{L}+, sou (?:uma?|de|alergic[oa]|\p{L}+(?:or|ora|ista|eiro|eira)), moro (?:em|no|na), trabalho (?:como|em|na|no|com|de), me chamo, tenho (?:\d+|uma?|dois|duas|tres) (?:anos|filh\p{L}+|cachorr\p{L}+|gat\p{L}+), (?:meu|minha) (?:nome|espos[oa]|marido|mulher|filh[oa]|mae|pai|irma|irmao|chefe|cachorr[oa]|gat[oa]) \p{L}+, nao (?:como|bebo|fumo)`,
    pieces:
      "叫我, 我(?:是(?!不是|说)|叫|住在|在.{1,12}(?:工作|上班)|对.{1,8}过敏|不[吃喝]), 我的?(?:女儿|儿子|妻子|老婆|丈夫|老公|爸|妈|老板|孩子|名字|生日|狗|猫), に住んで, (?:で|として)働いて, と申します, (?:私|うち)の(?:妻|夫|娘|息子|上司|犬|猫|子供)(?:は|が), アレルギー",
  },
  remember: {
    weight: 2,
    en: `${START}remember(?: that|:| also|,)(?! you), (?:keep|have|bear) in mind, don't forget that, for the record, note that, (?:just )?so you know`,
    others:
      "merk dir, denk daran, recuerda(?: que)?, ten en cuenta, rappelle-toi, n'oubliez? pas, lembre(?:-se)?, tenha em mente",
    pieces: "记住, 记得, 请注意, 覚えて(?:おいて|ください), 忘れないで",
  },
  contrast: {
    weight: 0.75,
    en: String.raw`instead(?: of)?, rather than, no longer, any ?more, not(?= \p{L}+(?:[.,]|$| \p{L}+$)), (?<=,\s)not, over(?= \p{L})`,
    others: "statt, sondern, und nicht, en (?:vez|lugar) de, au lieu, pas de, plutot, em vez de",
    pieces: "而不是, ではなく, じゃなく",
  },
  reason: {
    weight: 0.75,
    en: String.raw`because, (?<=^|,\s)since, so that, otherwise, that's why, (?:is|are) the reason, which means, to (?:avoid|prevent|match|stay|be consistent)`,
    others: "weil, denn, damit, sonst, porque, ya que, parce que, car, puisque, sinon, pois",
    pieces: "因为, 所以, なので, ため, ので",
  },
  moment: {
    weight: -1,
    en: `right now, current, this time, just once, yet, again, at the moment, (?<!from )today, tonight, tomorrow, this (?:morning|week|afternoon|evening), still, so far, asap, next step, (?<!-)first(?=,| (?:i|we|let's|do|the)), (?<!(?:from|until|we|is|are|for) )now(?! (?:on|we)|$), back, done, soon, ${HEAD}(?:always|never|please|use|make|keep)(?= .* now$)`,
    others:
      "jetzt(?! an), gerade, diesmal, vorerst, heute, noch, erst ?mal, por ahora, esta vez, ahora(?! en)(?<!partir de ahora), hoy, todavia, pour (?:l'instant|le moment), cette fois, aujourd'hui, ce soir, por enquanto, desta vez, dessa vez, hoje, agora(?! em)(?<!partir de agora)",
    pieces: "这次, 暂时, 现在(?!开始), 今天, 再, 今回, とりあえず, 今日, まだ, 一旦, もう一度",
  },
  hedge: {
    weight: -1,
    en: String.raw`maybe, perhaps, might, probably, possibly, hopefully, (?<!(?:i|ideally we) )would(?:n't)?, could(?:n't)?, wonder(?:ing)?, not (?:\p{L}+ )?(?:sure|certain), unsure, (?:we|you|it)'d(?! rather), i (?:guess|feel|suppose|wish|hope|bet|wonder|doubt|thought), or (?:whatever|something|so)(?! as), (?:i think|sure|guess) i(?:'m| am), (?:if|unless) i(?:'m)?, (?:worried|concerned|confused|curious|glad|excited) (?:about|in|that|if), suppose, imagine, hypothetical(?:ly)?, in theory, kind of, sort of, what if, let's say, pretend, ${HEAD}say (?:we|i|you), seems?, unlikely, as if`,
    others:
      "vielleicht, wahrscheinlich, ware, konnte, wurde, quizas?, tal vez, a lo mejor, seria, podria, peut-etre, serait, pourrait, talvez, imagina, poderia",
    pieces: "如果, 也许, 可能, 假设, 想象, 要是, もし, かもしれ, たぶん, 仮に",
  },
  /** A sentence that begins as a guess. */
  guess: {
    weight: -3,
    en: `${HEAD}(?:i (?:guess|suppose|assume|wonder|doubt)|(?:it )?(?:sounds|seems|looks) like)`,
  },
  /** An answer to a list of options: "B is fine", "go with #2". */
  choice: {
    weight: -2,
    en: String.raw`${HEAD}(?:option |number |#)?(?:[a-h]|\d)[.):]?(?: and \S{1,2})? (?:is|are|it is|sounds|looks|seems|works|please), (?:option|do|with|for|pick|choose|take|prefer|like|think) (?:#?\d|[b-h])(?=$|[).,;:])`,
  },
  /** A duty of "we" is often the next step and needs more signals to be a rule. */
  suggestion: { weight: -1, en: "we should(?!n)", others: "wir sollten" },
  condition: {
    weight: -0.25,
    en: `${START}(?:if|unless|whether)`,
    others: `${START}(?:falls|wenn|ob|si|se)`,
  },
  asked: {
    weight: -4,
    en: String.raw`${START}(?:can|could|would|will) (?:you|u), ${HEAD}(?:(?:can|could|would|will|do|does|did|is|are|was|were|should|shall|have|has|am|may) (?:you|u|we|i|it|this|that|there|the|they|he|she|these|those|my|our|any\p{L}*)|(?:what|why|how|who|where|which)(?:'s)?|(?:tell|show|give|let) me), (?<=,\s)(?:right|ok)(?=$)`,
    others: `(?:kannst|konntest|wurdest) du, ${HEAD}(?:was|wie|warum|wer|wo|quel|quelle|comment|pourquoi|pode|podes|qual|quem|como|onde), oder(?=$), puedes, podrias, verdad(?=$), peux-tu, tu peux, pourrais-tu, ne(?=$)`,
    pieces: "吗[？?]?$, 呢[？?]?$, 帮我, 什么, 怎么, ですか, ますか, でしょうか",
  },
  /** A pronoun as the subject: the statement is about something that was mentioned before. */
  pronoun: {
    weight: -1,
    en: `${HEAD}(?:it|it's|its|that|that's|thats|this|these|those|he|he's|she|she's|they|they're|there's|one|both)`,
    others: `${HEAD}(?:das|dies|eso|esto|c'est|ca|isso|isto)`,
    pieces: "^(?:这|那)(?!个?(?:项目|仓库)), ^(?:この|その|あの)(?!プロジェクト|リポジトリ|チーム)",
  },
  /** References to the current object. */
  deictic: {
    weight: -0.75,
    en: String.raw`(?:this|these|those)(?= (?!${SCOPE}|is|are|we|i|you|the|a|an|should|must|it|has|have)\p{L}+), (?:for|in|on|of|to|at|with|from|about|like|do|use) that, the (?:first|second|third|last|next|previous|other|same|following) \p{L}+, above, below, (?:line|step) \d+, option \w+, \p{L}+ (?:it|this|that|them|these|those)(?=$|[.,;:!])`,
    others: `dies(?:er|e|es|en|em)(?! (?:${SCOPE})), est[ea]s?(?! (?:${SCOPE})), cett?e(?! fois), ess[ea]s?(?! (?:${SCOPE}))`,
  },
  reported: {
    weight: -3,
    en: "(?:he|she|they|docs?|readme|article|author|teacher|book|blog|spec|someone|somebody|people|friend|vendor|comment|ticket|review(?:er)?|error|log) (?:says?|said|states?|wrote|writes|claims?|told|thinks?|believes?|wants?|reads), according to",
    others: "(?:sagt|schreibt),? dass, dicen? que, dit que, disse que",
    pieces: "文档[里中]?[说写], 写着, [他她]说, と書いて, と言って",
  },
  fault: {
    weight: -0.75,
    en: "fail(?:s|ed|ing|ures?), (?<=s )fail, errors?(?! (?:messages?|codes?|handling|types?)), broken?, breaks?, crash(?:es|ed|ing)?, bugs?, (?:doesn't|does not|isn't|is not|not|didn't|did not) (?:work|working|show|showing|seem|happen), wrong, issues?, missing, conflicts?, weird, problem, warnings?, undefined, exception, stuck, slow",
    others: "fehler, kaputt, falla, erreur, erro, falha",
    pieces: "报错, 失败, 错误, エラー, 失敗, バグ",
  },
  /** Current actions, perceptions, wishes and plans of the speaker. */
  ownTask: {
    weight: -1.5,
    en: String.raw`${START}(?:i (?:didn't|can't|cannot|can|don't|do) (?:see|find|know|understand|have|think(?! (?:we|the|it))|get|remember)|i just \p{L}+ed|(?:i|we) (?:just |also |already |only |then )?(?:did|made|got|saw|ran|found|noticed|tried|put|had|was|were|went|came|used to|see|get|need|thought|felt|realized|didn't)|i've(?! been)|i'll|i will|we'll|we will|i have(?! (?:an?|two|three|\d+) )|(?:let's|lets|i (?:just |only |really |also )?want|(?:i'?d|i would)(?: like| love)?) ${NEXT_STEP}|i (?:also |really |just |still )?(?:have to|should|must|need|can(?!'))|i'm (?:also |just |still |only )?(?!living|working|studying|learning|building|developing|using)\p{L}+ing)`,
    others:
      "ich habe, wir mussen, tenemos que, (?:on|nous) (?:doit|devons), temos que, he (?:hecho|visto), j'ai (?:fait|vu|essaye), eu (?:fiz|vi|tentei)",
    pieces: "我刚, 我试, してみ",
  },
  listener: {
    weight: -1.5,
    en: `${START}(?:you|you're|your|you've)(?! can call me)`,
    others: `${START}(?:du|sie|tu|usted|voce)`,
    pieces: "^你",
  },
  /** An imperative with a concrete object. */
  order: {
    weight: -1.5,
    en: String.raw`${HEAD}(?!call me|make sure|ensure|remember|avoid|keep|stop|use|never|always|no|not|with|for|in|on|at|by|from|of|to|all|when|whenever|if|after|before|because|since|than|like|over|and|or|but|as|is|are|was|have|only|even|every|each|any|into|via|without|through|against|per|under|instead|also|both)\p{L}{2,}(?<!s|ed|ing|ly) (?:up |out |back |down )?(?:the|it|them|a(?! gente| partir)|an|this|that|these|those|my|your|me|all the|what|how|which|why), ${HEAD}keep the(?! (?:\S+ ){0,2}?(?:answers|replies|responses|explanations|summaries|tone)), ${START}(?:don't|do not|dont) \p{L}+ (?:it|this|that|them|the|anything|any)`,
    others: `${HEAD}(?:mach|zeig|fuge?|losche?|andere?|prufe?|anade|crea|arregla|haz|cambia|revisa|borra|ajoute|cree|corrige|fais|mets|supprime|relance|adicione|crie|corrija|faca|roda|arruma|troca)`,
    pieces: "^帮我, ^请帮, てください",
  },
  /** A requirement of the product being built: "the button must be blue". */
  product: {
    weight: -1.5,
    en: String.raw`${HEAD}(?:the|an?) (?:\S+ ){1,4}?(?:should|must|needs to|has to|never|always), (?:row|column|card|page|button|icon|modal|field|form|screen|header|footer|menu|tooltip|tab|banner|image|label|input|dropdown|popup|dialog|chart)s?(?= (?:\S+ ){0,3}?(?:needs?|should|must|has|have|is|are|can|never|always))`,
    others: String.raw`${HEAD}(?:der |die |das |el |la |los |las |le |les |l'|o |a |os |as )(?:\S+ ){1,4}?(?:muss|mussen|soll\p{L}*|darf|immer|nie|debe[n]?|tiene que|siempre|nunca|doit|doivent|toujours|jamais|deve[m]?|pode[m]?|sempre)`,
    pieces: "(?:按钮|页面|界面).{0,6}(?:必须|应该|不能|要), (?:ボタン|画面)(?:は|が)",
  },
} satisfies Record<string, Signal>;

export type SignalName = keyof typeof SIGNALS;

const PATTERNS = Object.entries<Signal>(SIGNALS).map(([name, { weight, en, others, pieces }]) => ({
  name: name as SignalName,
  weight,
  pattern: phrasePattern({
    words: others === undefined ? en : `${en}, ${others}`,
    ...(pieces !== undefined && { pieces }),
  }),
}));

/** The signals in a folded clause, with their weights. */
export function readSignals(folded: string): ReadonlyMap<SignalName, number> {
  return new Map(PATTERNS.flatMap(({ name, weight, pattern }) => (pattern.test(folded) ? [[name, weight]] : [])));
}

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
 * True if an extracted fact is about its speaker, and therefore applies in every project: "I prefer tabs". The words of
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
