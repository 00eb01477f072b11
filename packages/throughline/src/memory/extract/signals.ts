import { type Phrases, phrasePattern } from "../../language/phrases.ts";

/**
 * A sign in a clause that it holds beyond the moment, or that it does not.
 *
 * For it: `lasting` (always, from now on), `quantifier` (every, any), `duty` (must, needs to), `preference`, `decision`,
 * `practice` (we use, our … is), `definition`, `place` (is in config/app.yaml), `role` (is the release manager), `person`,
 * `remember`, `announced` (by the way), `contrast` (instead of), `reason`, `we`, `generic` (tests go next to …), `manner`
 * (keep answers short), `command`, `scope` (in this repo), `choice` (use X, not Y).
 *
 * Against it: `moment` (for now), `hedge` (maybe), `condition`, `asked`, `pointing` (this one), `reported` (the docs say),
 * `fault` (is broken), `plan` (let's), `listener` (you …), `product` (the button must), `observed` (never works), `order`
 * (fix the …).
 */
export type SignalName =
  | "lasting"
  | "quantifier"
  | "duty"
  | "preference"
  | "decision"
  | "practice"
  | "definition"
  | "place"
  | "role"
  | "person"
  | "remember"
  | "announced"
  | "contrast"
  | "reason"
  | "we"
  | "moment"
  | "hedge"
  | "condition"
  | "asked"
  | "pointing"
  | "reported"
  | "fault"
  | "plan"
  | "listener"
  | "generic"
  | "manner"
  | "command"
  | "scope"
  | "choice"
  | "product"
  | "observed"
  | "order";

/** A signal with its weight. Order of languages: English, German, Spanish, French, Portuguese; pieces: Chinese, Japanese. */
interface Signal extends Phrases {
  readonly weight: number;
}

/** People and animals that belong to somebody. */
const FAMILY =
  "wife|husband|partner|girlfriend|boyfriend|fiancee?|mother|father|mom|mum|dad|parents|sister|brother|siblings?|son|daughter|kids?|child|children|twins|grand\\p{L}+|uncle|aunt|cousin|dog|cat|pets?|horse|manager|boss|colleague|coworker|team ?lead|landlord|roommate|flatmate|doctor";
/** Words between a subject and its verb. */
const ADVERB =
  "(?:(?:\\p{L}+ly|also|now|just|always|never|often|still|only|both|all|no longer|do|don't|do not|dont) ){0,3}";

const SIGNALS: Readonly<Record<SignalName, Signal>> = {
  lasting: {
    weight: 1.5,
    words: String.raw`always, never, ever again, from (?:now|today) on, from today, from now, no more, in (?:the )?future, for the future, going forward, next time, in general(?=,? \p{L}), as a (?:general )?rule, general(?:ly)? (?:thing|rule), every ?time,
      whenever, wherever, at all times, on purpose, by design, by convention, (?:our|team|house|company) (?:convention|policy|standard|rule|style)s?, one-off, intentional(?:ly)?,
      immer(?! noch| wieder| mehr), nie, niemals, stets, grundsatzlich, generell, kunftig, in zukunft, ab (?:jetzt|sofort), jedes mal, nicht mehr, absichtlich,
      siempre, nunca, jamas, (?:a partir )?de ahora en adelante, a partir de ahora, en general, por norma, cada vez que, ya no, a proposito,
      toujours(?! pas), jamais, desormais, dorenavant, a l'avenir, en general, systematiquement, chaque fois, expres, a partir de maintenant,
      sempre, daqui (?:para|pra|em) (?:a )?(?:frente|diante), de agora em diante, a partir de agora, em geral, toda vez, ja nao, de proposito`,
    pieces:
      "总是, 始终, 一律, 永远, 从不, 以后, 从现在, 今后, 统一, 每次, 不再, 一般都, 都[用要得], 常に, 必ず, いつも, 毎回, 今後, これから, 絶対に?, 基本的に, 統一, 以降",
  },
  quantifier: {
    weight: 0.75,
    words: String.raw`all, every, each, any, no(?= [\p{L}_]), only, nobody, everyone, everywhere, ideally, by default, defaults? to, default, regardless, new code, anything,
      alle[nrs]?, jede[rnsm]?, kein\p{L}{0,2}, nur, ausschlie(?:ss|ß)lich, standardma(?:ss|ß)ig, todos, todas, todo, cada, ningun\p{L}?, solo, unicamente, por defecto,
      tous, toutes, chaque, aucune?, seulement, uniquement, par defaut, nenhum\p{L}?, somente, apenas, por padrao`,
    pieces: "所有, 每个, 任何, 全部, 只[用能许准在], 默认, すべて, 全て, 各, だけ, のみ, デフォルト",
  },
  duty: {
    weight: 0.75,
    words: String.raw`must(?: not|n't)?, should(?: not|n't)?, shouldnt, needs? to, needs no, (?:has|have) to(?! go), ought to, (?:is|are) (?:not )?(?:allowed|supposed|required|expected|forbidden|mandatory), (?:don't|do not|dont) need(?: to)?,
      gets? (?:a|an|its|their)(?= ), make sure, ensure, avoid, (?:please )?stop \p{L}+ing, (?<=^\P{L}{0,4}|[,;:.] |please |also |so |and |btw |(?:just|ok|yes|no|oh),? )(?:don't|do not|dont) \p{L}+,
      muss, mussen, soll(?:en|te|ten)?, darf, durfen, debe[n]?, deberia[n]?, hay que, tienen? que, doit, doivent, devrai(?:t|ent), (?:il )?faut, deve[m]?, deveria[m]?, tem que, precisam?`,
    pieces: "必须, 应该, 要求, 不得, 不能, 禁止, 别用, 不要, べき, なければ, てはいけ, ないでください",
  },
  preference: {
    weight: 1.5,
    words: String.raw`i (?:\p{L}+ )?prefer(?! (?:the|your) (?:first|second|third|last|other|old|new|previous|former|latter|\S+ (?:version|option|one|approach))), (?:i (?:mostly |usually |always |only |mainly )?use|(?:i'm|i am|im) using)(?= (?!it|this|that|the|a|an|them|your|my|these|those|to)\S), we prefer, i'?d rather, i would rather, i (?:really |actually |do |absolutely |much )*(?:like|love|hate|dislike|enjoy)(?! (?:this|that|it|your|you|how|the|option|to)\b), not a (?:big )?fan, big fan,
      i (?:really )?(?:don't|do not|dont) (?:really )?(?:like|do|use|learn|care for|enjoy)(?! (?:this|that|it|your|you|how|the)\b), (?:can't|cannot|cant) stand, my (?:\p{L}+[- ])?favou?rite (?:\p{L}+ ){0,3}?(?:is|are), (?:is|are) my (?:\p{L}+[- ])?favou?rite, (?:i am|i'm|im) (?:more )?(?:a|an) [\p{L}-]+ (?:person|guy|fan|lover),
      stick (?:to|with), ich (?:bevorzuge|mag|hasse|liebe), lieber, am liebsten, (?<=^\P{L}{0,4})uso(?= ), prefiero, (?:no )?me gustan?, odio, me encantan?, (?:je )?prefere, j'aime, je n'aime pas, je deteste, prefiro, (?:nao )?gosto, odeio, adoro`,
    pieces: "我?(?:更|比较|最)?喜欢, 讨厌, 偏好, (?:方|ほう)が(?:いい|良い|好き), 好き, 嫌い, 好み",
  },
  decision: {
    weight: 1.5,
    words: String.raw`(?:and i|i've|i have) (?:decided|agreed), we(?:'ve| have|'d)? (?:all |now |already |finally |also |just |have )*(?:decided|agreed|settled|chose|chosen|opted|dropped|switched|migrated|moved (?:to|from|everything|off|away)|standardi[sz]ed|removed(?= .* on purpose)|picked|went with|found that), (?:we|and|so|fine|ok|okay),? (?:we )?(?:will )?(?:take|go with|stay with|stick (?:to|with))(?= (?!a look)), (?:i've|i have) decided, going with(?= (?!the|this|that)), (?:team|board|client|management|everyone) (?:has )?(?:decided|voted|agreed|chose), final (?:decision|answer), let's go with(?=.*(?:because|since|,\s)), (?:we're|we are|were) (?:going (?:to|with)|dropping|switching|moving|getting rid|retiring),
      ok,? decided, decided(?=:), decision(?=:), (?:is|it's) (?:final|decided|settled), final(?:ly)?:, (?:is|are) (?:now )?called .{1,40} now, (?:was|were|has been|have been|is|are) (?:now )?(?:renamed|replaced|retired|deprecated|moved|switched off|shut down|dropped|frozen), got rid of, we(?:'ll| will) (?:stay|stick|keep|go) (?:on|with|to|using)(?= ), let's not(?! (?:overthink|worry|rush|forget|get)),
      (?:wir haben uns|haben) .{0,40}(?:entschieden|beschlossen|geeinigt|festgelegt), wir (?:bleiben bei|nehmen|wechseln|setzen auf|steigen), decidi(?:mos|do), acordamos, acordado, (?:nos )?quedamos (?:con|en), vamos con, cambiamos a, dejamos de, pasamos a, (?:on|nous) (?:a|avons) (?:decide|tranche|choisi|convenu|abandonne|arrete), on (?:garde|part sur|passe a|reste sur|prend),
      (?:a gente|nos) (?:decidiu|fechou|vai de|fica com), ficamos com, combinamos, mudamos, migramos, foi (?:desligad|substituid|trocad|removid)[oa]`,
    pieces:
      "决定, 定了, 定下来, 改用, 换成, 我们选, 決め(?:た|まし), ことにし(?:た|まし), に変更, 採用, に移行, やめ(?:た|まし)",
  },
  practice: {
    weight: 1.5,
    words: String.raw`(?:i'm|i am|im|we're|we are) (?:currently |now )?(?:building|developing|working on) an?(?= (?!(?:\S+ ){0,3}?(?:fix|bug|pr|test|tests|feature|function|script|patch|change|branch|issue|question|project on))), we ${ADVERB}(?:use|deploy|test|build|host|write|support|ship|release|run (?:on|in|with|our)|store|link|set|log|name|format|follow|target|require|pin|track|merge|squash|call|allow|commit|keep|sign|review|document|work (?:with|in|at|from)), (?:we're|we are|were) (?:on|using|running on|running|an?|keeping|standardi[sz]ing on)(?= (?!it\b|the same|same page|track|board|issue|problem|little|bit)),
      our (?:\S+ ){1,5}?(?:is|are|lives?|runs?|uses?|goes|go|comes?|gets?|has|have), (?:is|are) (?:written|built|hosted|deployed|stored|kept|located|generated|managed|maintained|released|created) (?:in|on|with|by|at|from|under|for), (?:is|are) (?:manual|configurable|automatic|optional|read-?only|protected|off limits|mandatory|forbidden), (?:runs?|running) on(?= (?!my|the|this|it)), lives? (?:in|under|at|on)(?= \S*[./_\d]),
      wir (?:\S+ ){0,2}?(?:nutzen|verwenden|benutzen|bauen|testen|deployen|hosten|arbeiten|schreiben|betreiben|fahren), (?:nutzen|verwenden|bauen|testen|arbeiten|schreiben) wir, unser(?:e|er|en|em)?, wir (?:sind|laufen) (?:auf|bei|ein), (?:lauft|laufen|liegt|liegen) (?:auf|in|unter|bei), (?:esta|estan|corre|corren) (?:en|desplegad\p{L}+ en), tourne sur, (?:roda|fica) (?:em|no|na), usamos, utilizamos, trabajamos, desplegamos, probamos, escribimos, nuestr[oa]s?,
      on (?:utilise|deploie|teste|travaille|ecrit|heberge|livre), nous (?:utilisons|deployons|testons|travaillons), notre, trabalhamos, fazemos, testamos, rodamos, a gente (?:nao )?(?:usa|trabalha|roda|faz|testa), noss[oa]s?`,
    pieces:
      "我们.{0,10}(?:用|使用|采用|部署|跑在|基于), 我们的, (?:うち|弊社|私たち|チーム|プロジェクト|我々)(?:は|では|の), 使って(?:い)?(?:ます|る), 使用してい",
  },
  definition: {
    weight: 1.5,
    words: String.raw`[\p{L}\p{N}_-]+ ={1,2} \p{L}[\p{L}\p{N}_-]*, stands for, also known as, aka, (?:se llama|s'appelle|heisst|heißt|se chama)`,
    pieces: "叫做, 指的是, と呼(?:ぶ|んで|びます), という意味",
  },
  place: {
    weight: 1,
    words: String.raw`(?:is|are|goes|go|lives?|belongs?|ist|sind|liegt|esta|estan|est|sont|fica|ficam|e o|es el|es la|e a) (?:only |always |now |stored |found |kept |in |im |under |at |on |en |em |dans |no |na |sous |not in |der |die |das )*[\x60'"]?(?:[\p{L}\p{N}_-]+[./][\p{L}\p{N}_./-]+|[\p{L}]+-[\p{L}\p{N}-]*\p{N}[\p{L}\p{N}-]*|[a-z]+_[a-z_]+|utc|port \d+), (?:is|are|on|uses?) (?!step|option|pr|issue|number|line|part|phase|day|about|only|at|just|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{2,} \d+(?:\.\d+)*, (?:is|are|ist|es|est|e) (?:now |jetzt )?(?:v|port )?\d[\d.:]*(?=,? (?:not|instead|nicht|no|pas|nao))`,
  },
  role: {
    weight: 1.5,
    words: String.raw`(?:is|are|was|=) (?:our |the |a |an |my )?(?:\S+ ){0,2}?(?:lead|manager|owner|dba|maintainer|ceo|cto|designer|admin|on-?call|tech lead|pm|engineer|developer|architect|contact|reviewer|boss), (?:has|have|needs) to (?:sign off|approve|review), (?<=^(?:[^\p{L}]{0,4}\p{L}+,? ){1,3})(?:signs off|approves|owns|maintains|handles|runs (?:it|them|the)|pushes the|takes care of|is responsible for)`,
  },
  person: {
    weight: 1.5,
    words: String.raw`(?:i'm|i am|im) (?:also |originally |actually |currently |a bit |pretty |quite )*(?:an?(?! (?:bit|little|lot|idiot|fan of (?:this|that)))|from(?! the)|on (?:windows|linux|macos|an? (?:mac|m\d|iphone|ipad|windows|linux))|based|allergic|married|single|vegan|vegetarian|celiac|coeliac|lactose|autistic|asthmatic|bilingual|freelance|self-employed|dyslexic|colou?r-?blind|deaf|diabetic|pregnant|left-handed|retired|\d{1,3}\b|new to|not an?|in charge|responsible|the (?:lead|owner|maintainer|only|cto|ceo|pm|designer|dba)), (?:i'm|im) \p{L}+(?=,\s(?:i|an?)\s), (?:call me|my name(?:'s| is)|i go by|nenn mich|llamame|appelle-moi|me chama de), my (?:\p{L}+ )?(?:name|username|handle|github|e-?mail|birthday|time ?zone|pronouns|job|hobby|native language|car|salary|height|laptop|phone|team|company|role|diet)(?= ),
      (?:my|our) (?:\p{L}+ ){0,2}?(?:${FAMILY})(?:'s name| (?:is|are|has)(?! (?:really |very |so |just |still )?(?:sick|ill|tired|here|coming|visiting|waiting|asking|worried|not|in|on|at|gone))| have| called| named| hates?| loves?| likes?| turns?| works?| lives?| starts?| only| always| never| won't| wont| doesn't| doesnt| can't| \p{L}+(?: \(\d+\))?,? (?:is|has|turns|works|lives|starts|hates|loves|won't|wont|doesn't|can't)),
      my (?:github|gitlab|slack|linear|npm|jira|work) (?:user|handle|name|account|id|username|e-?mail)(?= is), i (?:do|handle|run|lead|manage) (?:all |the )+(?:\S+ ){1,3}?(?:at|for|in)(?= ), i (?:\S+ ){1,8}?(?:every (?:day|morning|evening|week|night|month|year|\p{L}+day)|(?:\d+x?|once|twice|three times) (?:a|per) (?:day|week|month|year)|on \p{L}+days), i want to (?:become|be) an?(?= ), i have (?:adhd|asthma|diabetes|dyslexia|autism|migraines|celiac), (?:i'm|i am|im) (?:living|working (?:as|at|for|in)|studying|learning|training)(?= ), i've been (?:an?|in|living|working|teaching|playing)(?= .*\b(?:years?|since|months|decades?)\b), i (?:also |currently |usually |mostly |mainly |only |always |never |still |do |really )*(?:live(?= (?:in|at|near|with|on|alone|abroad|by))|work (?:as|at|for|in|with|on|from|remotely|nights|mornings|evenings|weekends|part|full)|teach|study|speak|drive|play|own|collect|volunteer|manage|lead|run (?:\d|a )|grew up (?:in|on|near|with)|was born (?:in|on|and)|moved (?:to|from|back)|used to|studied|graduated|retired|am (?:learning|studying|training)|maintain|commute|sing|paint|cook|swim|hike|write (?:in|with|for)), (?:i|we) (?:already |also |both )?(?:have|'ve got|have got|own) (?:an? |two |three |four |five |\d+ )(?:\p{L}+ ){0,2}?(?:${FAMILY}|dogs|cats|sons|daughters|brothers|sisters|cars?|house|degree|phd), i (?:don't|do not|dont|never|can't|cannot|no longer) (?:drink|live|smoke|eat|smoke|drive|speak|read|have (?:a|an|any)|work|own|hear|see colou?rs?),
      ich bin (?:eine?|\d+|seit|aus|\p{L}+(?:er|erin|ist|istin)|von beruf|allergisch|vegan|vegetarier), ich (?:wohne|lebe|arbeite|hei(?:ss|ß)e|hab(?:e)? (?:eine?n? |zwei |drei |\d )(?:hund|katze|kinder|tochter|sohn|sohne|allergie)|esse kein\p{L}*|trinke kein\p{L}*|komme aus|spreche|studiere|unterrichte), mein(?:e|er|em|en)? (?:name|frau|mann|sohn|tochter|kinder|kind|chef\p{L}*|mutter|vater|hund|katze|bruder|schwester|freund\p{L}*|kolleg\p{L}+),
      (?:yo )?soy (?:una?|de|alergic[oa]|\p{L}+(?:[oa]|ista|or|ora))(?= |$), no (?:como|bebo|fumo)(?= ), vivo en, trabajo (?:de|en|como|con|para), me llamo, estudio, tengo (?:\d+|un|una|dos|tres) (?:anos|hij\p{L}+|perr\p{L}+|gat\p{L}+), mi (?:nombre|mujer|marido|esposa|esposo|jef[ea]|hij[oa]|madre|padre|herman[oa]|perr[oa]|gat[oa]|novi[oa]),
      je suis (?:une?|allergique|developp\p{L}+|vegan|vegetarien\p{L}*|\p{L}+(?:eur|euse|ien|ienne|iste|ant|ante)(?![\p{L}])), j'habite, je (?:vis|travaille|m'appelle|parle|viens de|enseigne|bosse), j'ai (?:\d+ ans|un|une|deux|trois) (?:enfants?|fille|fils|chien|chat|frere|soeur), (?:ma|mon) (?:nom|femme|mari|fille|fils|mere|pere|soeur|frere|chien|chat|chef\p{L}*|patron\p{L}*|copain|copine),
      (?:eu )?sou (?:uma?|de|alergic[oa]|\p{L}+(?:or|ora|ista|eiro|eira|ano|ana))(?= |$), nao (?:como|bebo|fumo)(?= ), moro (?:em|no|na), trabalho (?:como|em|na|no|com|de), me chamo, tenho (?:\d+|um|uma|dois|duas|tres) (?:anos|filh\p{L}+|cachorr\p{L}+|gat\p{L}+), (?:meu|minha) (?:nome|esposa|marido|mulher|filh[oa]|mae|pai|irma|irmao|chefe|cachorr[oa]|gat[oa]|namorad[oa])`,
    pieces:
      "叫我, 我(?:是(?!不是|说)|叫|住在|在.{1,12}(?:工作|上班)|今年|对.{1,8}过敏|不[吃喝会]|习惯|有[一两三四五]?[个只条]), 我(?:的)?(?:女儿|儿子|妻子|老婆|丈夫|老公|爸|妈|老板|同事|孩子|名字|生日|狗|猫|先生|太太), (?:私|僕|俺)は(?!.*(?:と思|たい)), に住んで, (?:で|として)働いて, と申します, と呼んで, (?:私の|うちの)?(?:妻|夫|娘|息子|上司|犬|猫|子供)(?:は|が|の), アレルギー",
  },
  remember: {
    weight: 2,
    words: String.raw`(?<=^|please |also |and |,\s|so )remember(?: that| to|:| also|,)(?! (?:when|how|what|the time)), (?:keep|have|bear) in mind, don't forget(?: that| to), for the record, note that, just so you know, so you know, merk dir, denk daran, recuerda(?: que)?, ten en cuenta, rappelle-toi, souviens-toi, n'oublie(?:z)? pas, lembre(?:-se)?, tenha em mente`,
    pieces: "记住, 记得, 请注意, 覚えて(?:おいて|ください), 忘れないで",
  },
  announced: {
    weight: 0.5,
    words:
      "fyi, btw, by the way, heads up, also, ubrigens, zur info, por cierto, au fait, pour info, alias, a proposito, ah",
    pieces: "顺便, 另外, ちなみに, なお",
  },
  contrast: {
    weight: 0.5,
    words: String.raw`instead(?: of)?, rather than, no longer, any ?more, (?<=,\s)not, (?<=\p{L} )not(?= \p{L}+(?:[.,]|$| so )), over(?= \p{L}), statt, sondern, en (?:vez|lugar) de, au lieu, pas de, plutot, em vez de`,
    pieces: "而不是, 不是, ではなく, じゃなく",
  },
  reason: {
    weight: 0.5,
    words: `because, since, so that, that's why, as (?:the|we|it), (?:is|are) the reason, so there, weil, denn, damit, porque, ya que, parce que, car, puisque, pois`,
    pieces: "因为, 所以, なので, ため, ので",
  },
  we: {
    weight: 0.25,
    words: "we, our, the team, this (?:project|repo|codebase), wir, nosotros, nous, nos, a gente",
    pieces: "我们, 私たち",
  },
  moment: {
    weight: -1.5,
    words: String.raw`right now, for now, this time, just (?:this )?once, yet, again, at the moment, currently, apologi[sz]e, (?:is|are) (?:all |now )?(?:green|red|passing|done|ready|fine|working|fixed|merged|gone), in (?:an?|\d+) (?:minute|hour|day|week)s?, (?<!from )today, (?:it's|is|are) still, tonight, tomorrow, just now, so far, in a hurry, asap, also update, next step, the following, one more, (?:i'm|i am|im) (?:\p{L}+ ){0,2}?(?!using|learning|studying|living|working (?:as|at|for|in)|building|developing|teaching|training|getting married|allergic)(?:\p{L}{2,}ing|worried|concerned|confused|curious|excited|nervous|stressed|overwhelmed|sure|unsure|interested|gonna|about to|glad|happy|sad|sorry|tired|stuck), (?:has|have|had|i've|we've|he's|she's) (?:always|never)(?! been (?:an?|my)),
      jetzt(?! an), gerade, diesmal, vorerst, heute, dieses (?:eine )?mal, erst ?mal, por ahora, esta vez, ahora mismo, hoy, todavia, pour (?:l'instant|le moment), cette fois, aujourd'hui, por enquanto, desta vez, dessa vez, hoje, agora mesmo`,
    pieces: "这次, 暂时, 现在, 今天, 先.{0,8}吧, 今回, とりあえず, 今日, まだ, 一旦",
  },
  hedge: {
    weight: -1,
    words: `maybe, perhaps, might, probably, possibly, hopefully, (?:would|could)(?:n't)? be, could, wonder(?:ing)?, not sure, unsure, i guess, i feel, i think (?:i'm|i am|my), (?:worried|afraid|concerned|convinced|annoyed|glad) (?:that|about|in), i suppose, suppose, imagine, hypothetical(?:ly)?, in theory, kind of, sort of, what if, let's say, pretend, seems?, i wish, i hope, i'd imagine, thinking (?:about|aloud|out loud), something like, unlikely,
      vielleicht, wahrscheinlich, ware, konnte, quizas?, tal vez, a lo mejor, seria, podria, peut-etre, imagine, serait, pourrait, talvez, imagina, seria, poderia`,
    pieces: "如果, 也许, 可能, 假设, 想象, 要是, もし, かもしれ, たぶん, 仮に",
  },
  condition: {
    weight: -0.5,
    words: "(?<=^\\P{L}{0,4}(?:\\p{L}{1,4},? )?)(?:if|unless|whether|falls|wenn|ob|si|se|whereas)",
  },
  asked: {
    weight: -3,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|then|hey|yeah|please|now|hmm),? ){0,2})(?:can|could|would|will|do|does|did|is|are|was|were|should|shall|have|has|am|may) (?:you|u|we|i|it|this|that|there|the|they|he|she|these|those|my|our|anyone|any), (?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|then|hey|yeah|question:),? ){0,2})(?:what|why|how|who|where|which|when's|what's|how's|where's), (?<=,\s)(?:is|are) there, (?<=,\s)(?:right|ok|no|oder|verdad|non|ne)(?=$), (?:wouldn't|isn't|shouldn't|don't|couldn't|aren't) (?:it|we|that|this|they|there|you), tell me, let me know, (?:kannst|konntest|wurdest) du, (?:puedes|podrias), (?:peux-tu|tu peux|pourrais-tu), (?:pode|podes|poderia)(?= ), (?<=^)(?:qual|quem|como|onde|que|que es|quel|quelle|comment|pourquoi|was|wie|warum|wer|wo|welche\p{L}*)`,
    pieces: "吗[？?]?$, 呢[？?]?$, 帮我, 什么, 怎么, ですか, ますか, でしょうか",
  },
  pointing: {
    weight: -1,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|then|no|yes|yeah|because|since|as),? ){0,2})(?:it|it's|its|that|that's|thats|this|these|those|he|he's|she|she's|they|they're|there|there's|one|both|das|dies|eso|esto|c'est|ca|isso|isto|es ist), (?<!sure |note |remember |so |mind |think |know |fact |such |agreed |decided )(?:this|that|these|those) (?!repo|repository|project|codebase|team|company|is\b|are\b|we\b|i\b|has\b|have\b|the\b|you\b|a\b|an\b|should|must)\p{L}+, (?:make sure|ensure) (?:my|the|this|it|you|to include|all my), (?:don't|do not|dont) \p{L}+ (?:it|this|that|them)(?=$|[.,]), (?:i'd|i would) like to(?! do an?), (?:like|do|did|does|doing|want|need|use|fix|add|change|remove|make|put|keep|of|for|with|in) (?:it|this|that|them|those|these)(?! (?:repo|repository|project|codebase|team|company))`,
    pieces: "^(?:这|那)(?!个?(?:项目|仓库)), ^(?:この|その|あの)(?!プロジェクト|リポジトリ|チーム)",
  },
  reported: {
    weight: -2,
    words: `(?:he|she|they|docs?|readme|article|author|teacher|book|blog|spec|someone|somebody|people|everyone|everybody|friend|colleague|vendor|comment) (?:says?|said|states?|wrote|writes|claims?|told|thinks?|believes?|wants?), according to, in (?:the|my|this) (?:story|novel|scene|game|book|movie|film|article|example|quiz|mockup), (?:sagt|schreibt|dice|dicen|disse|dit) (?:que|dass)?`,
    pieces: "文档[里中]?[说写], 写着, [他她]说, と書いて, と言って",
  },
  fault: {
    weight: -1.25,
    words: String.raw`(?:fails|failed|failing|failures?), (?:an?|the|this|that|same|following|getting|get|got|with|see|seeing|an old) (?:\S+ )?errors?, broken?, breaks?, crash(?:es|ed|ing)?, bugs?, (?:doesn't|does not|isn't|is not|not|didn't|did not) (?:work|working|show|showing|really|seem|helping), wrong, issues?, missing, conflicts?, weird, problem, warning, undefined, exception, stuck, (?:is|are) (?:\p{L}+ )?(?:down|frozen|offline|slow|hanging|dead|late), fehler, kaputt, error(?:es)?, falla, erreur, erro, falha`,
    pieces: "报错, 失败, 错误, エラー, 失敗, バグ",
  },
  plan: {
    weight: -1,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|then|yeah|yes|yup|no|please|now),? ){0,3})(?:let's(?! not)|lets|i'll|i will|i'd(?! rather)|we(?:'ll| will)(?! (?:stay|stick|keep|go) (?:on|with|to|using))|we can|we could|we'd|i (?:\p{L}+ly )?need|i (?:just |only )?want(?! to be)|i don't need|i tried|i did|i made|i got|i see|i saw|i get|i put|i ran|i found|i noticed|i've(?! been (?:an?|in|living|working|teaching))|we see|we saw|we caught|we have(?! (?:\S+ ){0,2}?(?:${FAMILY}))|we had|we got(?! rid)|we need|we were|we're getting|we are getting|we seem|ich habe|wir haben(?! uns))`,
  },
  generic: {
    weight: 0.75,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|btw|fyi|no|oh|here),? |[^:]{3,40}: ){0,2})(?:(?:all|any|every|each|no|our|new|most) )?\p{L}{3,}(?<!thi|ha|wa|i)s (?:(?:in|on|of|for|from|with|under|that|which) (?:\S+ ){1,4}?)?(?:are|go|follow|get|have|use|live|start|end|must|should|need|don't|do not|never|always|only|belong|stay|come|run|happen|require|cannot|can't), (?:nobody|no one|everyone|everybody) \p{L}+s, (?<=^\P{L}{0,4})no \p{L}+s(?= (?:please|ever|anywhere|in)|,), (?<=^\P{L}{0,4})\S+ for (?:all|every|any)(?= ), (?:don't|do not|dont|stop|avoid) \p{L}+ (?!the|this|that|these|those|it|any|your|my|an?|yes|yours)(?:\p{L}+ )?\p{L}{3,}(?<!i|s|u)s(?! ?yet), (?<=^\P{L}{0,4}(?:[^:]{0,40}: )?)(?:all|any|every|each|no) (?:\S+ ){1,6}?(?:gets?|starts?|ends?|goes?|uses?|has|have|needs?|must|should|in|without|on|before)`,
    pieces: "^所有, ^全部, ^每个, ^すべて",
  },
  manner: {
    weight: 1.5,
    words: String.raw`(?:keep|write|give me|make|answer|reply|respond|speak|talk|explain|use|skip|no|stop|avoid|without|less|fewer|shorter|don't (?:add|use|give)) (?:\S+ ){0,4}?(?:answers|replies|responses|explanations|emojis?|summaries|analogies|pleasantries|jargon|small talk|disclaimers|filler), (?:answer|reply|respond|talk|speak|write)(?: to)? me (?:\S+ ){0,3}?in \p{L}+, (?:answer|reply|respond) (?:always |only )?in \p{L}+, ask me (?:first )?before, (?:when|whenever|if) you (?:show|give|write|answer|send|explain|make|generate|add|create|edit|change|commit|run), (?:british|american) (?:spelling|english), antworte (?:mir )?(?:\S+ ){0,2}?auf \p{L}+, antworten (?:bitte )?(?:kurz|auf), respuestas, responde(?:me)? (?:\S+ ){0,2}?en \p{L}+, (?:re|r)eponds(?:-moi)? (?:\S+ ){0,2}?en \p{L}+, reponses, tutoie-moi, duz mich, respostas, responda (?:\S+ ){0,2}?em \p{L}+`,
    pieces:
      "(?:回答|回复|注释|说明).{0,6}(?:用|简短|中文|英文), 用(?:中文|英文)(?:回答|回复|写), (?:日本語|英語)で(?:答|返|書|お願い), 敬語",
  },
  command: {
    weight: 1.5,
    words: String.raw`(?:script|command|config|url|endpoint|branch|database|db|server|registry|folder|directory|docs?) (?:is|are|lives?) (?:at |in |on |under |called )?[\x60'"]?[\p{L}\p{N}_-]*[./:][\p{L}\p{N}_./:-]+, (?:run|runs|deploy|deploys|test|tests|build|builds|start|starts|lint|format|release|ship|migrate|install)\p{L}* (?:\S+ ){0,5}?(?:with|via|by|using|through|mit|con|avec|com) \x60[^\x60]+\x60, \x60[^\x60]+\x60 (?:does|runs|builds|starts|deploys|formats|checks|lints), \x60[^\x60]+\x60 (?:is|ist|es|est|e) (?:the|our|der|el|la|o) (?:\S+ )?(?:command|script|befehl|comando|commande), (?:command|script|befehl|comando|commande) (?:\S+ ){0,6}?(?:is|ist|es|est|e) \x60[^\x60]+\x60, to (?:\S+ ){1,6}?(?:use|run|call) \x60[^\x60]+\x60`,
  },
  scope: {
    weight: 0.75,
    words: `(?:in|for|across|within) (?:this|our|the) (?:repo|repository|project|codebase|team|company|org|monorepo)s?, in diesem (?:projekt|repo|team), bei uns, en este (?:proyecto|repo|equipo), dans ce (?:projet|depot), chez nous, neste (?:projeto|repo|time), aqui na empresa, on our side`,
    pieces: "这个项目, 本项目, 项目里, 团队里, このプロジェクト, このリポジトリ, うちのチーム",
  },
  choice: {
    weight: 1,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|also|please|no|btw|just|always|anyway|lol|yes),? ){0,3})(?:use|prefer|choose|pick|take) (?!an? |the |this |that |.* for (?:the|this|that) \S+$)(?:\S+ ){1,6}?(?:instead of|rather than|over|not|never), (?:nimm|nutze?|verwende?) (?:\S+ ){1,6}?(?:statt|nicht), (?:usa|utiliza) (?:\S+ ){1,6}?(?:en vez de|en lugar de|no), utilise (?:\S+ ){1,6}?(?:au lieu|pas), use (?:\S+ ){1,6}?(?:em vez|ao inves|nao)`,
    pieces: "用.{1,12}(?:而不是|不要用|别用), ではなく.{1,12}(?:使|を)",
  },
  product: {
    weight: -1.25,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:and|so|but|ok|okay|also|then|when|if) )?(?:the|a|an|der|die|das|el|la|le|les|los|las|il|lo|o|os|as) (?:\S+ ){1,5}?)(?:should|must|can|needs? to|has to|may|will|never|always|muss|soll|darf|debe|tiene que|doit|nunca|siempre|deve|pode|sempre|immer|nie|toujours), (?<=^|[,;] )(?:(?:how|what|where) )?the (?:\S+ ){1,3}?(?:should|must|needs to|has to|always|never), (?:how|what|where) the (?:\S+ ){1,3}?(?:should|must), (?:each|every|all|any|the|an?) (?:\S+ )?(?:row|column|card|page|button|icon|modal|field|form|screen|header|footer|menu|tooltip|tab|banner|image|link|cell|label|input|dropdown|popup|dialog|headline|cart|chart)s? (?:needs?|should|must|has|have|gets?|is|are|can), the (?:users?|customers?|visitors?|player) (?:should|must|can|needs?), per page`,
    pieces: "(?:按钮|页面|用户|界面).{0,6}(?:必须|应该|不能|要), (?:ボタン|画面|ユーザー)(?:は|が)",
  },
  order: {
    weight: -1.25,
    words: String.raw`(?<=^\P{L}{0,4}(?:(?:ok|okay|and|so|then|now|please|just|also|yes|yeah|can you|could you),? ){0,3})(?:investigate|remove|delete|summari[sz]e|add|fix|update|check|implement|create|look|review|refactor|rename|move|show|list|find|explain|help|change|replace|set up|build|debug|commit|push|merge|rebase|deploy|start|open|close|read|go|try|generate|translate|give|get|put|upgrade|include|verify|convert|extract|split|install|pick|draft|finish|continue|make (?:the|this|that|it|an?|these)), (?<=^\P{L}{0,4}(?:bitte |jetzt )?)(?:mach|bau|zeig|erstelle?|fuge?|losche?|andere?|fixe?|prufe?), (?<=^\P{L}{0,4})(?:anade|crea|arregla|haz|cambia|revisa|borra|ajoute|cree|corrige|fais|supprime|relance|adicione|crie|corrija|faca|mude|arruma|troca)`,
    pieces: "^帮我, ^请帮",
  },
  observed: {
    weight: -0.75,
    words: String.raw`(?:always|never) (?:ever |really )?\p{L}{2,}(?<!s)s(?= |$), (?:can|could|will|would|may) (?:always|never), i (?:\p{L}+ )?(?:always|never) (?:feel|felt|thought|knew|seen|heard|had|been|tried)`,
    pieces: "(?:总是|一直)(?:失败|报错), いつも(?:失敗|エラー)",
  },
  listener: {
    weight: -1,
    words:
      "(?<=^\\P{L}{0,4}(?:(?:and|so|but|ok),? ){0,2})(?:you|you're|your|du|tu|voce|sie|usted)(?! can call me), (?:you|it|he|she|they|that) (?:always|never|keep|just|still|only)",
    pieces: "^你",
  },
};

const PATTERNS = Object.entries(SIGNALS).map(([name, signal]) => ({
  name: name as SignalName,
  weight: signal.weight,
  pattern: phrasePattern(signal),
}));

/** The signals in a folded clause, with their weights. */
export function readSignals(folded: string): ReadonlyMap<SignalName, number> {
  return new Map(PATTERNS.flatMap(({ name, weight, pattern }) => (pattern.test(folded) ? [[name, weight]] : [])));
}
