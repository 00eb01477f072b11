import { extractFacts } from "../../memory/extract/extract-facts.ts";
import { readSlot } from "../../memory/facts/slots.ts";
import { readPastedMemories } from "../../memory/transfer/read-pasted.ts";
import { runInTime } from "../../ports/clock.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { CATEGORIES } from "../memory-fact.ts";

/** Asks a model for the category of a note; `undefined` if it does not know. */
export type Classify = (
  text: string,
  options: { readonly signal: AbortSignal },
) => PromiseLike<FactCategory | undefined>;

/** Maximum wait for the model in milliseconds. */
const TIME_LIMIT = 4_000;

/** Returns the category of a note: by the model if there is one and it answers in time, otherwise by rules. */
export async function classifyFact(text: string, classify?: Classify): Promise<FactCategory> {
  if (classify === undefined) return classifyByRules(text);
  const reply = await runInTime("the model", (signal) => classify(text, { signal }), { timeLimit: TIME_LIMIT });
  const category = "value" in reply ? reply.value : undefined;
  return category !== undefined && CATEGORIES.includes(category) ? category : classifyByRules(text);
}

/**
 * Classifies a note by the rules of extraction, or by common phrases of other languages. Unclear notes count as current
 * work, because these facts are in every prompt.
 *
 * @param text Text of the note.
 *
 * @example
 * classifyByRules("I prefer dark mode"); // "preference"
 */
export function classifyByRules(text: string): FactCategory {
  const [stated] = extractFacts([{ id: "note", role: "user", text }]);
  if (stated !== undefined) return stated.category;
  const byPhrase = categoryByPhrase(text);
  if (byPhrase !== undefined) return byPhrase;
  const [pasted] = readPastedMemories(text).facts;
  if (pasted === undefined) return "project";
  const isOfUser = pasted.text.startsWith("User") || readSlot(`User ${lowerFirst(text)}`) !== undefined;
  return pasted.category === "identity" && !isOfUser ? "project" : pasted.category;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Phrases about home, identity and name. */
const IDENTITY = `
ich (?:wohne|lebe|heiße|heisse|bin|komme) | mein name ist
je (?:suis|vis|m['’]appelle) | j['’](?:habite|ai \\d+ ans) | mon nom est
(?:yo )?(?:soy|vivo|me llamo) | mi nombre es | tengo \\d+ años
(?:eu )?(?:sou|moro|vivo|me chamo|chamo-me) | (?:o )?meu nome é
(?:io )?(?:sono|vivo|abito|mi chiamo) | il mio nome è
ik (?:woon|ben|heet|kom) | mijn naam is
(?:jag|jeg) (?:bor|är|er|heter|hedder|kommer)
(?:ja )?(?:mieszkam|jestem|nazywam się|mam na imię)
я (?:живу|родился|родилась) | меня зовут | мне \\d+ | я (?:живу|мешкаю) | мене звати
.{0,200}(?:yaşıyorum|oturuyorum) | (?:benim )?adım
אני (?:גר|גרה|מתגורר|מתגוררת) | שמי | קוראים לי
(?:أنا )?(?:أعيش|أسكن) | اسمي
من .{0,200}زندگی | اسم من
我(?:现在|現在)?(?:住|叫|是|来自|來自) | 我的名字
.{0,200}(?:に住んで|在住) | (?:私|僕|俺)の名前 | (?:私|僕)は.{1,200}です
.{0,200}(?:에 살|거주) | (?:제|내) 이름
(?:मैं .{0,200}रहत[ाी]) | मेरा नाम`;

/** Phrases about likes, preferences and dislikes. */
const PREFERENCE = `
ich (?:mag|bevorzuge|hasse|liebe|esse|trinke) | ich hätte .{0,200}(?:gern|lieber)
je (?:préfère|n['’]aime|déteste) | j['’](?:aime|adore)
(?:yo )?(?:prefiero|odio) | (?:no )?me (?:gustan?|encantan?)
(?:eu )?(?:não )?(?:prefiro|gosto|adoro|odeio)
(?:io )?preferisco | io (?:amo|odio) | (?:non )?mi piac(?:e|ciono)
ik (?:hou|houd|haat|wil|heb) .{0,200}(?:liever|van|niet)
(?:jag|jeg) (?:föredrar|foretrækker|foretrekker|gillar|liker|hatar|hader|hater|älskar|elsker)
(?:ja )?(?:nie )?(?:wolę|lubię|uwielbiam)
я (?:не )?(?:предпочитаю|люблю|ненавижу) | мне (?:не )?нрав[а-я]+ | мені (?:не )?подоба[а-яі]+
.{0,200}(?:tercih ederim|severim|sevmem|seviyorum|sevmiyorum)
אני (?:לא )?(?:מעדיף|מעדיפה|אוהב|אוהבת|שונא|שונאת)
(?:أنا )?(?:لا )?(?:أفضل|أحب|أكره)
.{0,200}(?:ترجیح می|دوست (?:دارم|ندارم))
我(?:更|最|很|不)*(?:喜欢|喜歡|偏好|偏爱|讨厌|討厭|爱|愛)
.{0,200}(?:好き|嫌い|好み|方がいい)
.{0,200}(?:좋아|싫어|선호)
.{0,200}पसंद`;

/** Scripts that write words without spaces, or join particles to them. */
const JOINED = /[\u0590-\u{2FFFF}]/u;

const RULES: readonly (readonly [FactCategory, RegExp])[] = [
  ["preference", phraseRule(PREFERENCE)],
  ["identity", phraseRule(IDENTITY)],
];

function phraseRule(phrases: string): RegExp {
  const list = phrases.trim().split(/\n| \| /);
  return new RegExp(`^(?:${list.map((one) => (JOINED.test(one) ? one : `(?:${one})(?!\\p{L})`)).join("|")})`, "iu");
}

/**
 * Returns the category of a note in a language other than English, by how it begins; `undefined` if no phrase matches.
 *
 * @example
 * categoryByPhrase("Ich wohne in Oslo"); // "identity"
 */
function categoryByPhrase(text: string): FactCategory | undefined {
  const plain = text.trim().replace(/\s+/g, " ").slice(0, 300);
  return RULES.find(([, rule]) => rule.test(plain))?.[0];
}
