import { anyPhrase, foldText, type Phrases, phrasePattern, withoutAccents } from "./words.ts";

/** Ideas that make a sentence a lasting rule. */
type RuleIdea = "never" | "always" | "must" | "only" | "prefer" | "from now on" | "remember" | "instead";

/** Order: English, German, Spanish, French, Portuguese, Italian, Dutch, Polish, Russian, Turkish, Arabic, Hindi. */
const RULES: Readonly<Record<RuleIdea, Phrases>> = {
  never: {
    words: `never, must ?n[o']t, (?<!\\b(?:it|this|that|they|these|those) )(?:should ?n[o']t|shouldnt|should not), under no circumstances, off[- ]limits, hands off, (?:is|are) (?:forbidden|prohibited|not allowed),
      (?<=^\\W{0,4}(?:please,? )?|^(?!\\W{0,4}(?:there|it|i|we|they|this|that|the|you|he|she)\\b)[^.!?]{0,200}(?:,\\s|and |but ))no (?!worries|thanks|problems|questions|issues|errors|failures|changes|comments)(?:\\p{L}+ ){0,2}\\p{L}+s(?=(?: please)?\\W*$),
      leave .{1,80} (?:alone|untouched|unchanged|as is|as it is|as they are), keep .{1,80} (?:untouched|unchanged|intact|as is|as it is|as they are),
      nie, niemals, auf keinen fall, keinesfalls, bitte (?:nicht|kein\\p{L}*), vermeiden?, (?:darf|darfst|durfen|soll\\p{L}*) (?:\\S+ ){0,6}?(?:nicht|kein\\p{L}*),
      (?:verwend|benutz|nutz|ander|losch|fass|mach|schreib|push|commit|entfern|lass)\\p{L}* (?:\\S+ ){0,8}?(?:nicht|kein\\p{L}*),
      nunca, jamas, evita, eviten?, (?<=^|[,;:] |favor,? )no (?!worries|issues|changes|failures|matches|updates|puedes|tienes|sabes|quieres|eres|crees|ves|entiendes|estas|has|vas)\\p{L}+[ae]s,
      jamais, evitez?, ne (?:pas|jamais|plus) \\p{L}+(?:er|ir|re), (?<=^|[,;:] |plait,? )n(?:e |')\\p{L}+ (?:pas|jamais|plus|rien|aucune?),
      nao (?:use|toque|mexa|altere|mude|apague|remova|adicione|faca|escreva|crie|rode|execute|coloque)m?, evite,
      mai, (?<=^|[,;:] |favore,? )non \\p{L}{2,}(?:are|ere|ire|arlo|erlo|ate|ete), evitare,
      nooit, vermijd, (?:gebruik|wijzig|verwijder|maak|raak|schrijf) (?:\\S+ ){0,8}?(?:geen|niet), (?:mag|moet|mogen|moeten) (?:\\S+ ){0,6}?(?:niet|geen),
      nigdy, unikaj, nie \\p{L}+[aiuy]j(?:cie)?, nie (?:rob|pisz|tworz|wolno),
      никогда, нельзя, ни в коем случае, избегаи(?:те)?, не \\p{L}+[аеуюя]и(?:те)?, не (?:надо|нужно|следует|пиши|трожь),
      asla, hicbir zaman, sakın, kacının, \\p{L}{2,}(?:mayın|meyin|mayınız|meyiniz), (?!\\p{L}*(?:some|come|time|home|name|same|game)\\b|(?:dra|gam|com|theo|the|sche|ani|trau|cine|diplo|volu|resu|assu|consu|cri|pri|cli|extre|supre|progra|program|fra|fla|bla|sha|la)m[ae]\\b)\\p{L}{3,}m[ae](?=[.!]*$),
      [اأ]بدا, تجنب, ممنوع, (?<=^|[،,؛:] ?)لا ت(?!عمل|وجد|ظهر)\\p{L}+, मत, कभी (?:भी )?(?:नहीं|न), बचें, न करें`,
    pieces: `不要, 永远不, 永遠不, 绝不, 絕不, 切勿, 请勿, 請勿, 禁止, 不得, 不准, 不许, 避免, 别再, 别用, 别改, 别动, 别删, 别加, 決して, ないで, ないように, てはいけ, ではいけ, 避けて,
      지 ?마, 지 ?말, 금지, 않도록, [면는] 안 ?[돼됩되]`,
  },
  always: {
    words: `always, (?:every|each) time you, whenever you, immer(?! noch| wieder| mehr), stets, grundsatzlich, stelle? sicher, achte darauf, siempre, asegurate, toujours(?! pas),
      assure-toi, assurez-vous, sempre, certifique-se, garanta, assicurati, altijd, zorg (?:er ?voor|dat), zawsze, upewnij sie, всегда, обязательно, убедись, убедитесь,
      her zaman, daima, mutlaka, emin ol\\p{L}*, دائما, دائمًا, تأكد, हमेशा, सदैव, सुनिश्चित`,
    pieces:
      "始终, 始終, 一律, 务必, 務必, 每次都, 确保, 確保, 总是[用使要先], 必ず, 常に, 毎回, ようにして, 항상, 반드시, 언제나, 꼭",
  },
  must: {
    words: `must(?!'?ve| have), should (?:always|never), du musst, (?:muss|mussen) (?:\\S+ ){0,6}?(?:immer|stets|sein|werden|bleiben), debe[sn]?, tienen? que ser,
      doi[st], doivent, devez, deve[ms]?, devi, devono, moet(?:en)? (?:\\S+ ){0,6}?(?:altijd|zijn|worden|blijven), musi(?:sz|cie)?, powinn\\p{L}+, долж(?:ен|на|но|ны)(?! был), обязан\\p{L}*,
      zorunlu, gerekir, \\p{L}{2,}m[ae]l[iı](?:s[iı]n|d[iı]r|y[iı]z)?, يجب, ينبغي, चाहिए, अनिवार्य`,
    pieces: "必须, 必須, 一定要, 应该始终, なければ, べき(?:です|だ|。), (?:해|어|아|여)야 ?(?:합|해|한|하)",
  },
  only: {
    words: `only use, use only, (?<=^\\W{0,4}(?!(?:i|we|it|they|this|that|there|the|an?|he|she|you)\\b)\\p{L}[^.!?]{1,200} )without (?:using|adding|touching|changing|breaking|modifying|renaming|removing), only (?:ever )?(?:edit|change|touch|run|write|answer|reply), bitte nur, ausschlie(?:ß|ss)lich,
      (?:verwend|benutz|nutz|antwort|schreib|ander)\\p{L}* (?:\\S+ ){0,3}?nur, (?:usa|utiliza|responde|cambia|edita|escribe) (?:\\S+ ){0,2}?(?:solo|unicamente|soltanto),
      (?:solo|unicamente) (?:usa|utiliza|responde|cambia|edita)\\p{L}*, uniquement, exclusivement, n'utilisez? que,
      (?:use|responda|altere|escreva) (?:\\S+ ){0,2}?(?:apenas|somente|so), (?:rispondi|modifica|scrivi) (?:\\S+ ){0,2}?(?:solo|soltanto),
      uitsluitend, (?:gebruik|antwoord|wijzig|schrijf) (?:\\S+ ){0,3}?(?:alleen|enkel), wyłacznie, (?:uzywaj|odpowiadaj|zmieniaj|pisz) (?:\\S+ ){0,2}?tylko,
      исключительно, (?:используи|отвечаи|меняи|пиши)(?:те)? (?:\\S+ ){0,2}?только, (?:sadece|yalnızca) (?:\\S+ ){0,6}?(?:kullan|yaz|degistir|cevap|yanıt)\\p{L}*,
      (?:استخدم|[اأ]جب|عدل|اكتب) (?:\\S+ ){0,5}?فقط, (?:केवल|सिर्फ|सिर्फ़) (?:\\S+ ){0,5}?(?:करें|करो|करना|दें|दो|लिखें|लिखो)`,
    pieces:
      "只[用使能许准改在], 只要用, 仅[用使限], 僅[用使限], だけ(?:を)?[使変編書], のみ, 만 ?(?:사용|써|쓰|수정|변경|답)",
  },
  prefer: {
    words: `preferably, (?:i|we)(?:'d| would)? (?:\\S+ ){0,2}?prefer(?! (?:it|this|that|these|those)\\W*$), i'?d rather, i would rather, (?:i|we) (?:really )?(?:no longer|don't|dont|do not) (?:want|like|use|allow|accept|support|write|commit|push|merge|ship), bevorzug(?:e|en), lieber, am liebsten, prefiero, preferimos, prefiera, (?:je|on) prefere, preferez, de preference,
      prefiro, prefira, preferisco, preferiamo, preferisci, liever, bij voorkeur, (?:geef|heb) de voorkeur, wole, preferuj\\p{L}+, предпочита\\p{L}+,
      tercih (?:ed|et)\\p{L}*, [اأ]فضل [اأ]ن, [اأ]فضل استخدام, نفضل, पसंद कर\\p{L}*, मुझे (?:\\S+ ){0,5}?पसंद`,
    pieces:
      "我(?:更|比较)?喜欢, 偏好, 优先[使用], 優先, 最好[用使不], (?:方|ほう)が(?:いい|良い|好き), 선호, 더 좋(?:아|습)",
  },
  "from now on": {
    words: `from now on, in future, going forward, ab (?:jetzt|sofort|heute), von (?:jetzt|nun) an, kunftig, zukunftig, in zukunft, a partir de (?:ahora|agora), de ahora en adelante,
      en adelante, desormais, dorenavant, a partir de maintenant, a l'avenir, daqui em diante, de agora em diante, doravante, d'ora in poi, da ora in poi, in futuro, vanaf nu, voortaan,
      in het vervolg, od teraz, od tej pory, w przyszłosci, отныне, впредь, с этого момента, в дальнеишем, bundan (?:sonra|boyle), من ال[اآ]ن فصاعد\\p{L}*, من ال[اآ]ن, مستقبل[اً]+,
      अब से, आगे से, आज से`,
    pieces:
      "从现在, 從現在, 今后, 今後, 以[后後][都请請要不别只用，], これから, 以降は, 앞으로, 이제부터, 지금부터, 다음부터",
  },
  remember: {
    words: `keep in mind, remember (?:to|that), denke? daran, merke? dir, vergiss nicht, recuerda(?: que)?, ten en cuenta, no olvides, rappelle-toi, souviens-toi, n'oubliez? pas,
      lembre(?:-se)?, tenha em mente, ricorda(?:ti)?, tieni (?:presente|a mente), onthoud, vergeet niet, pamietaj(?:cie)?, zapamietaj, помни(?:те)?, запомни(?:те)?, имеи(?:те)? в виду,
      учти(?:те)?, unutma(?:yın)?, تذكر, لا تنس, याद रख\\p{L}*, ध्यान रख\\p{L}*`,
    pieces: "记住, 記住, 记得, 記得, 牢记, 覚えて, 忘れないで, 기억해, 명심",
  },
  instead: {
    words: `(?:verwend|benutz|nutz|nimm)\\p{L}* .{1,80} (?:statt(?:dessen)?|anstatt|anstelle), (?:usa|utiliza|pon) .{1,80} en (?:lugar|vez) de,
      (?:utilise|mets|prends)z? .{1,80} (?:au lieu|a la place|plutot), use .{1,80} (?:em vez|ao inves) de, (?:usa|utilizza) .{1,80} (?:invece|al posto|anziche),
      (?:gebruik|neem) .{1,80} in plaats van, (?:uzyj|uzywaj) .{1,80} zamiast, zamiast .{1,80} (?:uzyj|uzywaj), (?:используи|возьми)(?:те)? .{1,80} вместо, вместо .{1,80} используи(?:те)?,
      yerine .{1,80} kullan\\p{L}*, بدلا من, بدلًا من, (?:के बजाय|की जगह)`,
    pieces: "而不是, 改用, 换成, 換成, の代わりに, ではなく, 대신, 말고",
  },
};

/**
 * A reminder is a rule at the start of a sentence or after its condition. After another order it is a part of that
 * order.
 */
const REMINDER = String.raw`(?:make sure|ensure)(?! (?:that )?(?:i|it|this|they|these|those|its|it's|i'm|i've|i'll)\b)(?! that(?:'s| is| was)\b)`;
const CONDITION = anyPhrase("when, whenever, before, after, if, once, while, for, in, on, as, every, each");
/**
 * English verbs of an order. They make a rule only at the start of a clause: "avoid globals", not "moved to avoid a
 * cycle". A ban or a reminder about the current object ("don't change that") is temporary.
 */
const ORDERS = String.raw`avoid, stop \p{L}+ing, prefer(?! (?:it|this|that|these|those)\b),
  (?:(?:you|we) (?:should |must |need to |have to ))?use .{1,80} (?:instead|rather)`;
const BAN = String.raw`(?<=\b(?:any|every|each|all|whenever)\b.{0,200})(?:don't|dont|do not), (?:don't|dont|do not)(?! (?:i|you|we|they|know|think|mind|care|worry|bother|see|understand|need|have)\b)(?! \p{L}+ (?:(?:it|them)\b(?!.*\b(?:again|ever)\b)|(?:this|that|these|those|anything)(?: (?:and|but|so|because|since|yet|now|please|just|here|for|until|if|or)\b|[\s.,;!)–—-]*$|[.,;!)–—])))`;
/** Optional words before an order. */
const BEFORE_ORDER = anyPhrase(
  "please, pls, and, but, so, also, just, then, ok, okay, yes, yeah, oh, hey, no, well, actually, again, btw, by the way, now, fyi, ps, always, important, note, rule, reminder",
);

/** Beginnings of sentences that correct an earlier result or misunderstanding. */
const CORRECTIONS: Phrases = {
  words: `no[,;:—–-], no (?:don't|dont|do not|not|it|that|this|we|i|you|keep|use|leave), nope, wrong, not (?:quite|like (?:that|this)|what i), i (?:already |just )?(?:said|told you|asked (?:for|you)|meant), as i said, (?:that|this)(?: is|'s| was) (?:wrong|incorrect|not (?:right|correct|what)),
    you misunderstood, actually,? (?:use|let's|make|keep|do|don't|please|no), nein, falsch, das (?:ist|war) (?:falsch|nicht), ich (?:sagte|meinte), ich (?:hatte?|habe) (?:doch )?gesagt,
    (?:eso|esto) (?:esta mal|es incorrecto|no es), (?:ya )?(?:te )?dije, me referia, quise decir, non[,;:—–-], c'est (?:faux|incorrect|pas), j'ai (?:deja )?dit, je (?:t'|vous )ai dit, je voulais dire,
    nao[,;:—–-], (?:isso )?esta errado, eu (?:ja )?disse, ja disse, quis dizer, (?:e )?sbagliato, (?:ti )?(?:avevo|ho) (?:gia )?detto, intendevo, nee, (?:dat|dit) is (?:fout|verkeerd|niet), ik (?:zei|bedoelde?),
    nie[,;:—–-], (?:to jest )?zle, mowiłe?a?m, powiedziałe?a?m, chodziło mi, нет[,;:—–-], неправильно, неверно, это не, я (?:же )?(?:сказал|говорил|просил)а?, я имел\\p{L}? в виду,
    hayır, yanlıs, (?:\\S+ ){0,6}?(?:demistim|soylemistim|kastettim), لا[،,], هذا خط[أا], خط[أا], قلت, قصدت, नहीं[,;—–-], गलत, ग़लत, मैंने (?:\\S+ ){0,6}?कहा, मेरा मतलब`,
  pieces:
    "不[，,。], 不对, 不對, 不是, 错了, 錯了, 我说, 我說, 我的意思, いいえ, 違います, 違う, そうではな, (?:아니[요야]?|아뇨)[,. ], 틀렸, 제가 말한, 내가 말한",
};

/** A whole sentence that only states that something is wrong. The next sentence gives the correction. */
const BARE_CORRECTION = `no, nope, wrong, stop, not like that, that(?:'s| is) (?:wrong|not right|not what i (?:said|meant|asked for)), nein, falsch, das ist falsch, eso esta mal, non, c'est faux, nao, esta errado,
  sbagliato, nee, fout, nie, zle, нет, неправильно, hayır, yanlıs, لا, خط[أا], नहीं, गलत, 不, 不对, 不對, 错了, 不是, いいえ, 違います, 違う, 아니요, 아니, 틀렸어요?`;

/** Words that limit an order to this time. */
const MOMENT: Phrases = {
  words: `right now, this time, just once, (?:not|n't) .{0,40} yet, diesmal, esta vez, ahora mismo, cette fois, tout de suite, desta vez, questa volta, deze keer, tym razem,
    (?:на|в) этот раз, прямо сеичас, bu sefer, هذه المرة, इस बार`,
  pieces: "这次, 這次, 今回は, 이번에는?",
};

/** Observations, in contrast to orders: it always fails, they never answer. */
const OBSERVED: Phrases = {
  words: `^(?:but |and |so )?(?:it|this|that|there|they|he|she|es|das|dies|eso|esto|el|ella|ca|cela|elle|ils|isso|ele|ela|questo|quello|dat|dit|het|это|оно|он|она|они|bu) (?:\\S+ ){0,3}?${anyPhrase(
    "never, always, nie, immer, nunca, siempre, jamais, toujours, sempre, mai, nooit, altijd, nigdy, zawsze, никогда, всегда, asla, her zaman",
  )}, ^the (?:\\S+ ){1,4}?(?:always|never) \\p{L}+s, (?<![\\p{L}'])(?!(?:must|should|shall|can|may|will|to|please|we|i|you)\\b)[\\p{L}\\p{N}_]+ (?:always|never) \\p{L}{2,}ed, (?:has|have|had|noch) (?:never|always|nie), never (?:mind|seen|worked|happened), ^(?:thanks|thank you|love|glad|happy|proud)\\b.{0,80}\\b(?:always|never), (?:not|\\p{L}+n't) always, can always, you never know, (?:always|never) (?:made|felt|was|were|had|thought|knew|got|wanted|loved), (?:as|like) i always, i(?:'m| am) (?:always|never) (?!us|go)\\p{L}+,
    (?:always|immer|siempre|toujours|sempre|altijd|zawsze|всегда) (?:\\S+ )?(?:fail|crash|break|fehl|falla|falha|echou|fallisc|faalt|пада)\\p{L}*`,
  pieces: "总是失败, 总是报错, (?:必ず|常に|毎回)(?:失敗|エラー), 항상 (?:실패|에러)",
};
/** Reports of the words of others: "the README says you must never …". */
const REPORTED: Phrases = {
  words: `(?<!\\b(?:i|we|already|just) )(?:says?|said|states?|stated|wrote|writes|claims?|claimed) (?:that )?(?:\\S+ ){0,3}?(?:never|always|do not|don't|must|should|avoid),
    ^(?:die|der|das|el|la|le|il|lo|de|het|o|a) (?:\\S+ ){1,4}?(?:sagt|schreibt|dice|dit|diz|zegt)\\b, ^(?:\\S+ ){0,3}?(?:mowi|pisze) ze, ^(?:\\S+ ){0,3}?(?:говорит|пишет|написано),? что`,
  pieces: "(?:文档|文件|手册|他|她)[说写], と書いて, 라고 (?:쓰|적|되어)",
};
/** Ideas that statements of facts can express too. */
const FACTUAL: readonly RuleIdea[] = ["never", "always"];

/** Ends of questions, and of lines that announce something. */
const QUESTION = /[?？؟:：][\s"')\]”’*_]*$|(?:ですか|ますか|吗|嗎|呢|까요?|나요)[。.!]?$/u;
/** Beginnings of English questions, many of which are written without a question mark. */
const ASKS =
  /^\W{0,4}(?:(?:and|but|so|also|ok|okay|hmm|well|then|oh|wait|yes|yeah|q)[,: ]{1,2}){0,3}(?:(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|have|has|(?:is|are|do|does|did|wo|would|could|should)n't) (?:you|we|i|it|this|that|there|they|the|an?|these|those|our|your|my)\b|why\b|how (?:do|does|did|can|could|would|should|is|are|come|about|many|much)\b|what (?:is|are|was|do|does|did|if|about|would|should|happens)\b)/;
/** A polite order with permanent effect. */
const POLITE = /^\W{0,4}(?:can|could|would|will) you (?:please )?(?:always|never|from now on|in (?:the )?future)\b/;

/** Ideas of rules for all later work. The others often describe the result of the current task. */
const STANDING: readonly RuleIdea[] = ["never", "always", "prefer", "from now on", "remember"];

const IDEAS = Object.entries(RULES).map(([idea, phrases]) => ({
  isStanding: STANDING.includes(idea as RuleIdea),
  pattern: phrasePattern(phrases),
  isFactual: FACTUAL.includes(idea as RuleIdea),
}));
const ORDER = phrasePattern(
  { words: ORDERS },
  String.raw`(?:^|[.!?;:,()–—]|\s-)[\s"'*_-]{0,4}(?:${BEFORE_ORDER}[,:!.]?\s+){0,4}`,
);
const REMINDED = phrasePattern(
  { words: REMINDER },
  String.raw`(?:^|[.!?;:()–—]|^\W{0,4}${CONDITION} [^.!?]{1,200},)[\s"'*_-]{0,4}(?:${BEFORE_ORDER}[,:!.]?\s+){0,4}`,
);
const BANNED = phrasePattern(
  { words: BAN },
  String.raw`(?:^[^\p{L}]{0,8}|[.!?;:,()–—]\s*|\s-\s*|\b${BEFORE_ORDER}[,:!.]?\s+|\bor\s+)`,
);
const FROM_NOW_ON = phrasePattern(RULES["from now on"]);
const CORRECTED = phrasePattern(
  CORRECTIONS,
  String.raw`^[\s"'“(*_-]{0,8}(?:(?:but|and|well|sorry|please|hey|also|aber|pero|mais|mas|ma|maar|ale|но)[, ]{1,2}){0,2}`,
);
const BARE = new RegExp(withoutAccents(String.raw`^\s*${anyPhrase(BARE_CORRECTION)}\s*[.!。！]+\s*`), "u");
const IN_THE_MOMENT = phrasePattern(MOMENT);
const FACTS = phrasePattern(OBSERVED);
const REPORTS = phrasePattern(REPORTED);

/**
 * True if a sentence gives a rule or a preference that holds beyond the moment, in any language of this file:
 * never, always, must, only, prefer, from now on, remember, instead.
 *
 * @example
 * isRule("Bitte niemals auf main pushen."); // true
 * isRule("Do it now."); // false
 */
export function isRule(sentence: string): boolean {
  const text = foldText(sentence);
  if (POLITE.test(text)) return true;
  if (QUESTION.test(text) || ASKS.test(text) || REPORTS.test(text)) return false;
  if (FROM_NOW_ON.test(text)) return true;
  if (IN_THE_MOMENT.test(text)) return false;
  if (ORDER.test(text) || REMINDED.test(text) || BANNED.test(text)) return true;
  const isFact = FACTS.test(text);
  return IDEAS.some(({ pattern, isFactual }) => !(isFactual && isFact) && pattern.test(text));
}

/**
 * True if a sentence is a rule for all later work, and asks for nothing now: never, always, prefer, from now on,
 * remember.
 *
 * @example
 * isStandingRule("From now on use pnpm."); // true
 * isStandingRule("The export must be a stream."); // false
 */
export function isStandingRule(sentence: string): boolean {
  const text = foldText(sentence);
  return isRule(sentence) && IDEAS.some(({ isStanding, pattern }) => isStanding && pattern.test(text));
}

/**
 * True if a sentence corrects an earlier result or misunderstanding: "no, not X", "I said …", "that is wrong: …".
 *
 * @example
 * isCorrection("No, use the second port."); // true
 */
export function isCorrection(sentence: string): boolean {
  const text = foldText(sentence);
  return !QUESTION.test(text) && CORRECTED.test(text);
}

const MAX_BARE_LENGTH = 80;

/**
 * Length of a correction at the start of a text that does not contain the right answer ("No. ", "That's wrong. "); 0 if
 * there is none.
 *
 * @example
 * bareCorrection("No. Use tabs."); // 4
 */
export function bareCorrection(text: string): number {
  const [line = ""] = text.slice(0, MAX_BARE_LENGTH).split("\n", 1);
  // Folding may change lengths, so the end is searched in the text itself.
  return BARE.test(foldText(line)) ? (/^\s*[^.!。！]+[.!。！]+[^\S\n]*/u.exec(line)?.[0].length ?? 0) : 0;
}

/**
 * True if a sentence is a statement of its author: no question, no announcement, and no report of the rules of others.
 *
 * @example
 * isOwnStatement("The README says you must never test."); // false
 */
export function isOwnStatement(sentence: string): boolean {
  const text = foldText(sentence);
  return !QUESTION.test(text) && !REPORTS.test(text);
}
