import { anyPhrase, withoutAccents } from "./words.ts";

/**
 * Beginnings of sentences that offer help, ask for a go-ahead or close a reply. Order: English, German, Spanish,
 * French, Portuguese, Italian, Dutch, Polish, Russian, Turkish.
 */
const OFFERS = `(?:so )?(?:please )?(?:just |do )?let me know, (?:please )?(?:feel|don't hesitate|do not hesitate) (?:free )?to (?:ask|reach|contact|share|let|call|message|tell|send|write|get|adjust|modify|provide),
  if (?:you|there|anything|something|any)\\b.{0,160}\\b(?:let me know|feel free|just ask|please ask|just say|i'm here|i am here|happy to help|glad to help|reach out|don't hesitate|do not hesitate|i can help|i'd be happy|here to help),
  i(?:'m| am) (?:always )?(?:here|happy|glad|available|ready) (?:to (?:help|assist|answer|support)|if you|for you|whenever), i(?:'d| would|'ll| will) be (?:more than )?(?:happy|glad|delighted) to,
  (?:i )?(?:really )?hope (?:this|that|it|these|you)(?: all)? (?:help|clarif|give|make|find|enjoy|have|feel)\\p{L}*, (?:i'm |i am )?(?:always )?(?:happy|glad|here) to (?:help|assist), i can (?:certainly |definitely )?(?:help|assist)(?: you)?(?: with (?:that|this|it))?[.!]*$,
  (?:please )?confirm (?:if|whether|that|so)\\b, (?:would|do) you (?:like|want) (?:me to|to), is there anything else, (?:i'm |i am )?looking forward to,
  (?:sag|gib|geben sie|sagen sie) (?:mir |einfach |gerne )*bescheid, (?:lass|lassen sie) (?:es )?mich wissen, wenn (?:du|sie) (?:noch |weitere )*(?:fragen|hilfe), ich helfe (?:dir |ihnen )?gerne, ich hoffe,? (?:das|dies) hilft,
  (?:avisame|hazme saber|dime si|no dudes en), si (?:tienes|necesitas) (?:mas|alguna|otra|algo), espero que (?:esto|te|le) (?:ayud|sirv)\\p{L}*,
  (?:n'hesitez pas|n'hesite pas), (?:dites|dis)-moi si, si (?:vous avez|tu as|vous avez besoin|tu as besoin) (?:d'autres|besoin|des), j'espere que (?:cela|ca),
  (?:me avise|avise-me|fique a vontade|nao hesite), se (?:voce )?(?:tiver|precisar), espero que (?:isso|isto) (?:ajude|tenha),
  (?:fammi sapere|fatemi sapere|non esitare), se (?:hai|avete) (?:altre|bisogno|domande), spero (?:che )?(?:questo|ti) (?:sia|aiuti),
  laat (?:het )?(?:me|maar) (?:even )?weten, als je (?:nog |meer )*(?:vragen|hulp), ik hoop dat (?:dit|het) helpt,
  daj znac, (?:jesli|gdybys) (?:masz|potrzebujesz|mial), mam nadzieje,? ze (?:to )?pomo\\p{L}*,
  (?:даи|даите) (?:мне )?знать, если (?:у (?:тебя|вас) )?(?:будут|есть|нужн)\\p{L}* (?:еще |вопросы|помощь), надеюсь,? (?:это|что) \\p{L}*,
  (?:baska |herhangi )?(?:bir )?sorun(?:uz)? (?:olursa|varsa), umarım (?:bu )?yardımcı`;

/** Beginnings of greetings, thanks, praise, congratulations, condolences and farewells, in the same order. */
const COURTESY = `(?:hi|hey|hello)(?: \\p{L}+){0,2}[.!]*$, good (?:morning|afternoon|evening|night), welcome back, long time no (?:see|talk), (?:nice|good|great|lovely) to (?:hear|see|meet|talk|chat), how (?:are|have) you(?: been| doing)?(?: lately| today)?[?.!]*$, how(?:'s| is) (?:it going|everything|life)[?.!]*$, what's (?:up|new)[?.!]*$,
  (?:many )?thank(?:s| you)(?: (?:so|very) much| again| a (?:lot|bunch|ton|million))*(?: \\p{L}+)?[.!]*$, thank(?:s| you)(?: \\p{L}+){0,3} for, (?:i )?(?:really )?appreciate (?:it|that|the|your|you), you're (?:very |most )?welcome, no (?:problem|worries), my pleasure, don't mention it,
  (?:what (?:a|an) )?(?:great|good|nice|excellent|interesting|awesome|fantastic|wonderful|thoughtful|valid|fair) (?:question|idea|point|job|work|one|choice|thinking|to hear|to know|news|luck|stuff|start|plan|catch)(?: (?:on|for|to|with|of|about) .{0,40}| (?:\\p{L}+))?[.!]*$,
  congrat\\p{L}*, well done, way to go, good on you, (?:all the )?best (?:of luck|wishes), bravo, cheers, kudos, keep (?:it up|going|pushing|up|at it), you(?:'ve| have)? got this, believe in yourself, you can do it,
  (?:i'm |i am |so |very )*(?:sorry|glad|happy|proud|thrilled|excited|pleased|delighted|stoked) (?:to|for|that|of|you|i could|we could)(?: (?:hear|see|know|be|have|help))?, (?:my )?condolences, same here, me too, likewise, (?:have|enjoy) (?:a|an|your|the) (?:great|good|nice|lovely|safe|wonderful)?, take care, (?:good)?bye, see (?:you|ya), talk (?:to you )?(?:soon|later), cheering you,
  (?:that |it |this )?(?:sounds|looks|seems) (?:so |really |like (?:a|an|such an?|you(?:'re|'ve| had| have)?) )?(?:great|good|fun|awesome|amazing|wonderful|perfect|lovely|fantastic|nice|cool|exciting|solid|blast|plan|tough|hard),
  (?:absolutely|certainly|definitely|of course|sure(?: thing)?|exactly|totally|indeed|understood|no doubt|wow|woah|whoa|haha|yay|aww?|ooh)(?:[,!] \\p{L}+)?[.!]*$, (?:can't|cannot|can not) wait(?: to (?:see|hear)\\b.{0,20})?[.!]*$,
  hallo, guten (?:tag|morgen|abend), danke, vielen dank, gerne(?: geschehen)?[.!]*$, gute (?:frage|idee)[.!]*$, viel (?:erfolg|gluck|spaß|spass), gluckwunsch, herzlichen gluckwunsch, das freut mich, bis (?:bald|spater|dann), (?:alles klar|klingt gut|super|prima|toll)[.!]*$,
  hola, buen[oa]s (?:dias|tardes|noches), (?:muchas )?gracias, de nada, (?:buena|gran|excelente) (?:pregunta|idea)[.!]*$, felicidades, enhorabuena, (?:mucha |buena )suerte, me alegr\\p{L}+, (?:hasta|nos vemos) \\p{L}+, claro[.!]*$,
  bonjour, bonsoir, salut, merci, de rien, je vous en prie, (?:bonne|excellente|tres bonne) (?:question|idee)[.!]*$, felicitations, bon(?:ne)? (?:courage|chance|journee|soiree), au revoir, a bientot, (?:bien sur|avec plaisir|parfait)[.!]*$,
  ola, bom dia, boa (?:tarde|noite|sorte), obrigad[oa], (?:otima|boa|excelente) (?:pergunta|ideia)[.!]*$, parabens, ate (?:logo|mais), ciao, buongiorno, buonasera, grazie, prego[.!]*$, (?:ottima|bella|buona) (?:domanda|idea)[.!]*$, complimenti, buona fortuna, arrivederci, (?:certo|certamente)[.!]*$,
  hoi, goede(?:morgen|middag|navond), dank ?(?:je|u|jullie), bedankt, graag gedaan, goede vraag[.!]*$, gefeliciteerd, succes[.!]*$, tot (?:ziens|snel|later), czesc, dzien dobry, dziekuj\\p{L}+, dzieki, (?:swietne|dobre) pytanie[.!]*$, gratulacje, powodzenia, do (?:widzenia|zobaczenia),
  привет, здравствуи(?:те)?, добр(?:ое|ыи) (?:утро|день|вечер), спасибо, пожалуиста[.!]*$, (?:отличныи|хорошии) вопрос[.!]*$, поздравляю, удачи, до (?:свидания|встречи), пока[.!]*$, merhaba, selam, gunaydın, tesekkur\\p{L}*, sag ol\\p{L}*, rica ederim, (?:guzel|harika) (?:bir )?soru[.!]*$, tebrik\\p{L}*, kolay gelsin, iyi (?:gunler|sanslar), hosca ?kal\\p{L}*`;

/** The same in scripts without spaces, and in Korean, Arabic and Hindi. */
const COURTESY_PIECES = `你好, 您好, 谢谢, 謝謝, 不客气, 不客氣, 恭喜, 再见, 再見, 好问题, 好問題, 祝你, 祝您, 如果(?:你|您)?(?:还有|还需|有任何|需要)[^。]{0,30}(?:告诉|随时|联系|问), 希望(?:这|對|对)[^。]{0,12}(?:帮助|幫助), こんにちは, おはよう, こんばんは, ありがとう, どういたしまして, おめでとう, さようなら, 良い質問,
  お役に立て(?:れば|て), (?:何か|他に)[^。]{0,20}(?:お知らせ|お聞き|教えて)ください, 頑張って, 안녕, 감사합니다, 고마워, 천만에요, 축하, 좋은 질문, 도움이 (?:되|필요하), 궁금한 점이, مرحبا, شكرا, عفوا, مبروك, سؤال (?:جيد|رائع), مع السلامة, नमस्ते, धन्यवाद, शुक्रिया, बधाई, अच्छा सवाल, अलविदा`;

/** Praise of the words of the other person. */
const PRAISE =
  /^(?:that|this|it|those|these)(?: \p{L}+)?(?:'s| is| was| are| were|'re| must (?:be|have been)| sounds?| looks?)\b.{0,60}\b(?:great|awesome|amazing|wonderful|fantastic|lovely|beautiful|incredible|inspiring|impressive|excellent|brilliant|cool|exciting|gorgeous|stunning|adorable|sweet|heartwarming|special|fun)\b|^(?:you(?:'re| are|'ve| have| look| did| really)|your|what an?|how|so|such|love|loving|i (?:really )?(?:love|admire))\b.{0,80}\b(?:great|awesome|amazing|wonderful|fantastic|lovely|beautiful|incredible|inspiring|inspiration|impressive|impact|excellent|brilliant|cool|gorgeous|stunning|adorable|proud|means? (?:a lot|so much|the world)|rock|kind words|support)\b/u;
const MAX_WORDS = 14;
const MAX_LENGTH = 240;
const MAX_PIECES_LENGTH = 60;
/** Signs of a statement with content. */
const FACT = /[\d`$€£%]|\b(?:because|but|however|instead|so that)\b/;
/** Maximum number of words of a clause that is a name or an interjection: "Thanks, Ana!", "Oh wow, …". */
const MAX_VOCATIVE = 2;
const EMOTICON = /<3|[:;]-?[()DP](?![\p{L}\p{N}])/gu;

const OFFER_START = toPattern(`^${anyPhrase(OFFERS)}`);
const COURTESY_START = toPattern(`^${anyPhrase(COURTESY)}(?![\\p{L}\\p{N}])`);
const PIECES_START = toPattern(`^${anyPhrase(COURTESY_PIECES)}`);

function toPattern(source: string): RegExp {
  return new RegExp(withoutAccents(source), "u");
}

/**
 * True if a sentence is only small talk: a greeting, thanks, praise, congratulations, a farewell, or an offer to help.
 * A sentence with a statement is not.
 *
 * @example
 * isSmallTalk("Great question!"); // true
 * isSmallTalk("Let me know if you need anything else."); // true
 * isSmallTalk("Thanks, I moved to Lisbon in May."); // false
 */
export function isSmallTalk(sentence: string): boolean {
  if (sentence.length > MAX_LENGTH) return false;
  const text = withoutAccents(sentence.replace(EMOTICON, ""))
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/^[^\p{L}\p{N}]{1,20}/u, "")
    .trim();
  if (OFFER_START.test(text)) return true;
  if (PIECES_START.test(text)) return text.length <= MAX_PIECES_LENGTH;
  if (FACT.test(text) || wordsIn(text) > MAX_WORDS) return false;
  const clauses = text
    .split(/[,;!.–—]+\s+| - /)
    .filter((clause) => wordsIn(clause) > MAX_VOCATIVE || isCourtesy(clause));
  return clauses.length > 0 && clauses.every(isCourtesy);
}

function isCourtesy(clause: string): boolean {
  const [start = ""] = COURTESY_START.exec(clause) ?? [];
  return start === "" ? PRAISE.test(clause) : !/\bi\b/.test(clause.slice(start.length));
}

function wordsIn(text: string): number {
  return text.split(/\s+/, MAX_WORDS + 1).length;
}
