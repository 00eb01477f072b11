import { anyPhrase } from "./words.ts";

/** An explicit change in a text, with the parts that its wording contains. */
export interface ChangePhrase {
  /** The ended state: "no longer X", "X is gone", "instead of X". */
  readonly old?: string;
  /** The changed thing, without its old value: "moved X to …", "X was raised to …". */
  readonly subject?: string;
  /** The new value. */
  readonly now?: string;
}

const PHRASE = String.raw`[^,.;:!?()，。；、！？\n]{1,80}`;
const OLD = `(?<old>${PHRASE})`;
const SUBJECT = `(?<subject>${PHRASE}?)`;
const NOW = `(?<now>${PHRASE})`;
/** Start of a phrase. Without it, a form that begins with a phrase would be tried at every character. */
const START = String.raw`(?<![^,.;:!?()，。；、！？\n])`;

const ENDED =
  anyPhrase(`gone, off, over, removed, deleted, closed, cancel+ed, dropped, deprecated, retired, discontinued, obsolete,
  abandoned, scrapped, shut down, turned off, called off, history, no longer [^,.;]{1,40}`);
const STOPS =
  anyPhrase(`no longer, not any ?more, no more, stop(?:ped)?(?: using)?, quit(?:ted)?, gave up(?: on)?, given up, got rid of,
  dropped, ditched, cancel+ed, removed, deleted, abandoned, scrapped, retired, sold, left, done with, finished with,
  moved (?:away from|off|out of), instead of, rather than, replac(?:es?|ed|ing), in place of, used to, supersedes`);
const CHANGED =
  anyPhrase(`switch(?:ed|ing)?(?: over| back)?, moved(?: back| over)?, moving, migrat(?:ed|ing), chang(?:ed|ing), renam(?:ed|ing),
  upgrad(?:ed|ing), downgrad(?:ed|ing), raised, lowered, increased, decreased, reduced, bumped, cut, pushed(?: back| out)?, postponed,
  rescheduled, delayed, slipped, shifted, extended, relocated, transferred, handed(?: over)?, converted, ported, went up, went down,
  dropped, rose, fell, (?:is|am|are|'m|'re|'s|went|gone) (?:down|up)`);

/** Each form with its parts as groups. Alternatives of one language are tried in order. */
const FORMS: readonly RegExp[] = [
  // English
  String.raw`\b(?:${CHANGED}|replaced) ${SUBJECT} ?\b(?:from ${OLD}? )?(?:to|into|with|until|till|by) ${NOW}`,
  String.raw`(?:^|[,.;:!?] ?)${SUBJECT}\b(?: (?:was|were|is|are|has been|have been|got|just|has|have))* ${CHANGED} (?:from ${OLD}? )?(?:to|into|until|till) ${NOW}`,
  String.raw`(?<!(?:n['’]t|\bnot|\bnever) )\b${STOPS} ${OLD}`,
  String.raw`(?:n't|n’t|\bnot) ${OLD}? any ?more\b`,
  `(?:^|[,.;:!?] ?)${OLD}? (?:is|are|was|were|has been|have been|got)(?: now| finally| officially)? ${ENDED}`,
  `${START}${OLD}? (?:was|were|is|are|has been|have been|got) (?:replaced|superseded) (?:by|with) ${NOW}`,
  // German
  String.raw`\b(?:nicht (?:mehr|länger)|kein(?:e|en|em|er)? [^,.;]{0,30}mehr|statt|anstatt|anstelle(?: von)?|abgeschafft|gekündigt|aufgehört) ${OLD}`,
  `${START}${OLD}? (?:nicht (?:mehr|länger)(?![^.!?;])|gibt es nicht mehr|ist weg|wurde (?:abgeschafft|entfernt|gestrichen|ersetzt)|fällt weg|ist (?:vorbei|abgesagt))`,
  `${START}${SUBJECT} (?:wurde|ist|sind|wird|haben wir|habe ich) (?:von ${OLD}? )?(?:auf|nach|zu) ${NOW}? (?:verschoben|verlegt|umgestellt|umgezogen|gewechselt|geändert|erhöht|gesenkt|umbenannt|migriert)`,
  // Spanish
  String.raw`\b(?:ya no|dej(?:é|e|amos|ó|o|aron)(?: de)?|en (?:vez|lugar) de|abandon(?:é|amos|ó)|cancel(?:é|amos|ó|aron)|quit(?:é|amos|ó)|reemplaza(?:mos)? a?) ${OLD}`,
  String.raw`${START}${SUBJECT}\b(?:cambi(?:é|amos|ó|aron)|pas(?:é|amos|ó|aron)|migr(?:é|amos|ó)|me mud(?:é)|nos mudamos|se (?:movió|mudó|cambió|pospuso|aplazó)|subió|bajó) (?:de ${OLD}? )?(?:a|al|para) ${NOW}`,
  // French
  String.raw`\b(?:ne |n['’])(?<old>${PHRASE} plus\b(?:${PHRASE})?)`,
  String.raw`\b(?:au lieu (?:de|du|d['’])|à la place (?:de|du)|(?:j['’]ai|on a|nous avons|a) (?:arrêté|abandonné|quitté|supprimé|annulé|remplacé)(?: de| d['’])?) ?${OLD}`,
  String.raw`${START}${SUBJECT}\b(?:est|sont|a été|ont été|sommes|suis|avons|ai|on est|on a)? ?(?:passée?s?|déménagée?s?|migrée?s?|changée?s?|reportée?s?|déplacée?s?|repoussée?s?) (?:de ${OLD}? )?(?:à|au|aux|en|sur|vers) ${NOW}`,
  // Portuguese
  String.raw`\bnão (?<old>${PHRASE} mais\b(?:${PHRASE})?)`,
  String.raw`\b(?:já não|deix(?:ei|amos|ou)(?: de)?|em vez d[eoa]|ao invés d[eoa]|abandon(?:ei|amos|ou)|cancel(?:ei|amos|ou)|par(?:ei|amos|ou) de|larg(?:uei|ou)|substitu[ií](?:mos)?) ${OLD}`,
  String.raw`${START}${SUBJECT}\b(?:mud(?:ei|amos|ou)|pass(?:ei|amos|ou)|migr(?:ei|amos|ou)|troc(?:ei|amos|ou)|foi (?:adiad[oa]|movid[oa]|transferid[oa]|alterad[oa])) (?:d[eoa] ${OLD}? )?(?:para|pra|pro) ${NOW}`,
  // Chinese
  `(?:不再|不用|停用|放弃|取消|弃用|代替|取代|替换|而不是)(?:了)?${OLD}`,
  `从${OLD}?(?:换成|改成|改为|迁移到|切换到|搬到|变成|改到|升级到|推迟到)(?:了)?${NOW}`,
  `${START}${SUBJECT}(?:已经|已)?(?:换成|改成|改为|改用|迁移到|切换到|搬到|移到|变成|改到|升级到|推迟到|调到|提高到|降到)(?:了)?${NOW}`,
  // Japanese
  `${START}${OLD}?(?:をやめ|は(?:もう)?使(?:って|わ)(?:いない|ない|いません|なくなり)|ではなく|じゃなく|の代わりに|を廃止|は廃止|はなくなり|をキャンセル)`,
  `${START}(?:${SUBJECT}(?:は|を|が))?(?:${OLD}?から)?${NOW}?(?:に(?:変更|移行|切り替え|引っ越|変わり|なりました|延期|移り)|へ(?:変更|移行|引っ越|延期))`,
].map((source) => new RegExp(source, "giu"));

/** Words for the start of a new state, without the old one. */
const NEW_STATE = new RegExp(
  String.raw`(?<!\bright )\bnow\b|\b${anyPhrase(`from now on, from here on, these days, nowadays, as of, as from, any ?more, instead, actually, correction, update,
    new, since, starting, from (?:this|next) \\p{L}+(?: on)?, currently, lately, back to, down to, up to,
    jetzt, ab (?:sofort|jetzt|heute|nächste[rnm]?), ab dem, seit, stattdessen, inzwischen, mittlerweile, neuerdings, sondern, neue[rsnm]?,
    ahora, desde (?:hoy|ahora|este), a partir de, actualmente, en cambio, nuev[oa],
    maintenant, désormais, à partir d, dorénavant, depuis, à présent, nouve(?:au|lle),
    agora, desde, a partir d[eoa], atualmente, nov[oa]`)}(?![\p{L}\p{N}])|现在|如今|改|起|从今|目前|今は|今後|現在|これから|になりました|新しい|新`,
  "iu",
);

/** Punctuation, the name of a speaker and interjections before the first word of a statement. */
const LEAD = String.raw`^[^\p{L}[]{0,40}(?:\[[^\]]{1,60}\]:? {0,8})?(?:(?:well|oh|no|sorry|wait|but|and|so),? ){0,6}`;
/** Words that state a change without its parts. */
const MARKER = new RegExp(
  String.raw`${LEAD}(?:correction|update|now)\b|(?<!\bright )\bnow(?=[.!]{0,8}$)|\b${anyPhrase(`actually, change of plans?, on second thought,
    scratch that, instead, rather than, no longer, any ?more, used to, quit, stopped, got rid of, dropped, overrid(?:es?|ing|den), overrode, as of (?:today|now|this|last), from now on, these days, (?:is|are) now`)}\b`,
  "iu",
);

/** Texts of this length or more are documents. */
const MAX_LENGTH = 600;

/**
 * Finds the changes that a text states, in seven languages.
 *
 * @example
 * findChanges("We moved the docs from Netlify to Cloudflare."); // [{ subject: "the docs", old: "Netlify", now:
 * "Cloudflare" }]
 */
export function findChanges(text: string): readonly ChangePhrase[] {
  if (text.length > MAX_LENGTH) return [];
  return FORMS.flatMap((form) => [...text.matchAll(form)].map(({ groups = {} }) => ({ ...groups })));
}

/**
 * True if a text states a change explicitly: a correction, an end, a replacement or a new state.
 *
 * @example
 * statesChange("I no longer live in Porto."); // true
 */
export function statesChange(text: string): boolean {
  return MARKER.test(text) || findChanges(text).some(({ now }) => now !== undefined);
}

/**
 * True if a text states that something began or is different now.
 *
 * @example
 * statesNewState("The retro is at 15:30 from next week on."); // true
 */
export function statesNewState(text: string): boolean {
  return NEW_STATE.test(text.slice(0, MAX_LENGTH));
}
