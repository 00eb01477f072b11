/** Sources of a text: files, pages, mails, programs. */
const SOURCE = new RegExp(
  String.raw`\b(?:${[
    "contents?|read ?me|files?|pages?|web ?pages?|web ?sites?|sites?|wiki|articles?|posts?|blog|docs?|documents?|documentation",
    "e-?mails?|mails?|letters?|threads?|newsletter|logs?|outputs?|results?|responses?|repl(?:y|ies)|answers?|stdout|stderr",
    "(?:stack ?)?traces?|traceback|errors?|warnings?|messages?|snippets?|excerpts?|passages?|paragraphs?|transcripts?|paste",
    "clipboard|issues?|tickets?|comments?|changelog|specs?|specification|prompts?|config(?:uration)?|diffs?|patch|texts?",
    "quotes?|quotation|chats?|conversations?|history|dump|summary|notes?|attachments?|screenshots?|observations?|sources?|data",
    "code|scripts?|functions?|quer(?:y|ies)|json|yaml|xml|html|csv|markdown|table|instructions|description|slack|tweet|review",
  ].join("|")})\b`,
  "i",
);
/** Words that begin an announcement. */
const ANNOUNCES =
  /^\W{0,4}(?:(?:ok(?:ay)?|so|and|also|well|now|hi|hello|hey|but|please),? ){0,3}(?:here|below|attached|above|(?:this|that|these|those) (?:is|are|was|were)|see|look|read|check|consider|given|regarding|re|from|per|according|as per|fyi|past(?:e|ed|ing)|cop(?:y|ied)|quoting|found|got|received|source|(?:i|we)(?:['’]ve| have)? (?:just )?(?:got|get|found|see|saw|received|copied|asked|ran|tried|pasted|looked|have)|it|the following|what (?:does|do|is|about))\b/i;
/** An announcement without a noun. */
const POINTS =
  /^\W{0,4}(?:(?:ok(?:ay)?|so|and|also),? )?(?:here(?: you go| it is| we go| goes)?|see(?: below| this| here)?|look(?: at this| here)?|this|below|as follows|fyi|(?:i )?(?:found|got|saw|read|see) this|check this(?: out)?|read this|the following|from (?:the|my|a) [\w-]+)\W{0,3}$/i;
/** The name of a source alone: "Search results", "Contents of notes.txt", "The error message". */
const TITLE =
  /^\W{0,6}(?:(?:the|a|an|my|our|your|his|her|their|this|that|some|full|raw|complete|current|latest|relevant|tool|function|page|file|web|error|search|log|command|console|terminal|test|api|http|server|shell|build|compiler|chat|pasted|attached|retrieved|pr|pull request|issue|project|product|release|mit|apache) ){0,4}(?:contents?|outputs?|stdout|stderr|results?|responses?|trace(?:back)?|stack ?trace|logs?|transcripts?|excerpts?|snippets?|read ?me(?:\.\w+)?|files?|pages?|web ?pages?|web ?sites?|articles?|documents?|documentation|e-?mails?|mails?|clipboard|paste|attachments?|quotes?|quotation|sources?|dump|diffs?|patch|observations?|error|errors|error message|issues?|tickets?|threads?|conversations?|history|text|search|transcriptions?|captions?|ocr|translations?|descriptions?|release notes|change ?log|licen[cs]e|abstract|overview|steps to reproduce|commit message)(?: ?[#(]?\d{1,4}\)?)?(?: (?:of|from|for|in|on|at|by|about|is|was|below|here)\b.{0,120}| ["'`*(]?[\w./\\-]{1,80}["'`*)]?)?\W{0,4}$/i;
/** A location that a text comes from. */
const PLACE =
  /^\W{0,4}(?:in|on|inside|within) (?:the |your |our |my |this |that )?(?:[\w-]+ )?(?:read ?me|wiki|articles?|e-?mails?|mails?|web ?sites?|logs?|issues?|tickets?|threads?|docs?|documentation)\b.{0,60}$/i;
/** A verb that introduces the words of another person. */
const SAYS =
  /\b(?:says?|said|saying|reads|wrote|writes|states|stated|replie[sd]|answered|tells? (?:me|us)|told (?:me|us)|reported|posted|commented|sent(?: me| us)?|asked|quoted|responded|suggests|suggested|forwarded message|schrieb|schreibt|sagt|steht|écrit|dit|dice|escribió|scrisse|scrive)(?: (?:this|that|the following|below|here|back|so|me|us))?[\s,*_]*$/i;
/** A verb that introduces the content of something. */
const SHOWS =
  /\b(?:returns?|returned|prints?|printed|shows?|showed|contains?|outputs?|gives? (?:me|us)|gave (?:me|us)|displays?|logged|(?:i|we|it) (?:gets?|got|see|saw|read))(?: (?:this|that|the following|below|here|back))?[\s,*_]*$/i;
const SAID_MYSELF =
  /\b(?:i|we)(?:['’]ve| have| had)?(?: already| just| once| always)? (?:said|told|wrote|asked|mentioned|say|repeat)\b/i;
/** The name of a file. */
const NAMED = /(?:^|[\s`"'(*[])(?:[\w@~./\\-]{0,100}[\w-]\.[a-z][a-z0-9]{0,5})[`"')*\]]*\s*$/i;
const ADDRESS = /https?:\/\/\S{1,200}\s*$/i;
/** An operation on the text that follows. */
const WORK_ON =
  /\b(?:translate|proof-?read|rewrite|rephrase|paraphrase|reword|edit|summari[sz]e|tl;?dr|polish|shorten|analy[sz]e|classify|correct|improve|review|explain|debug|answer|reply|respond|comment on|interpret|parse|extract|grammar|wording|spelling|typos|sound better)\b[^:\n.?!]{0,80}$/i;
/** A text that the user found or received. */
const CAME_UPON =
  /\b(?:found|saw|seen|read|got|copied|received|posted|sent) (?:this|these|the following)\b[^:\n.?!]{0,60}$/i;
/** Words addressed to machines in general. */
const TO_MACHINES =
  /\b(?:to|for) (?:all |any |the )?(?:ai|llms?|assistants?|(?:ai |language )?models?|agents?|bots?|ai assistants?)\W*$/i;
/** Operations on prose only, not on code. */
const TEXT_WORK =
  /^(?:(?:please|can you|could you|now|ok(?:ay)?),? ){0,3}(?:translate|proof-?read|rephrase|paraphrase|reword|summari[sz]e|tl;?dr|polish|shorten)\b|\b(?:explain|review|check|edit|correct|improve|debug|answer|read|see|analy[sz]e) (?:this|these|the following)\W{0,3}$|\bwhat does this mean\W{0,3}$/i;
/** Explicit wishes of the user. */
const WILL =
  /\b(?:what|how|things?|everything|all) (?:i|we) (?:want|need|expect|prefer|like|care)\b|\b(?:my|our) (?:[\w-]+ ){0,2}(?:rules?|preferences?|requirements?|conventions?|guidelines?|constraints?|wishes|requests?|expectations?|tasks?|goals?|plans?)\b/i;
const ORDERS =
  /^\W{0,4}(?:(?:please|and|but|also|so|ok(?:ay)?),? ){0,3}(?:always|never|do not|don['’]t|make sure|ensure|use|prefer|avoid|remember|keep in mind|only|stop|from now on|in (?:the )?future|(?:i|we)(?:['’]re| are| am|['’]m)? (?:prefer|want|like|always|never|use|using|work|need|decided))\b/i;
/** Products whose names look like files: Node.js. */
const PRODUCT = /(?:^|\s)[A-Z][a-z]+\.(?:js|io|ai|net|dev)\W*$/;
const FILE_NAME = /^[\w@~./\\-]{0,100}[\w-]\.[a-z][a-z0-9]{0,5}$/i;
/** Titles of sections with the user's own wishes. */
const OWN_TITLE =
  /\b(?:rules?|preferences?|requirements?|conventions?|guidelines?|constraints?|instructions?|tasks?|goals?|objectives?|role|style|about me|context|background|plan|request|question|summary|problem|approach|changes?|behaviou?r|expected|todo|reminders?|important|remember)\b/i;
/** A sentence that announces a text. */
const IN_A_SENTENCE =
  /^(?:ok(?:ay)?,? |so,? |and |also,? )?(?:here(?:['’]s| is| are)|below (?:is|are)|attached|past(?:ed|ing)|see (?:the |my )?(?:attached|below)|(?:i|we)(?:['’]ve| have)? (?:attached|pasted|copied|included)|this is (?:what|the)|the following)\b/i;
/** Announcements in other languages. A text announced as rules is by the user. */
const ELSEWHERE =
  /^\W{0,4}(?:hier(?: ist| sind| der| die| das|$)|(?:der |die |das )?(?:inhalt|ausgabe|ergebnis|datei|fehlermeldung|e-?mail)|voici|voil\u00e0|(?:le |la |les )?(?:contenu|sortie|r\u00e9sultat|fichier|page)|ecco|(?:il )?contenuto|risultat[oi]|aqu\u00ed|est[ea] es|(?:el |la )?(?:contenido|salida|resultado|archivo|p\u00e1gina)|aqui est\u00e1|(?:o )?(?:conte\u00fado|arquivo|ficheiro)|sa\u00edda|(?:de )?inhoud|uitvoer|bestand|inneh\u00e5ll|indhold|innhold|sis\u00e4lt\u00f6|tre\u015b\u0107|zawarto\u015b\u0107|obsah|i\u00e7erik|dosya|n\u1ed9i dung|isi|\u0432\u043e\u0442|\u0441\u043e\u0434\u0435\u0440\u0436\u0438\u043c\u043e\u0435|\u0432\u044b\u0432\u043e\u0434|\u0444\u0430\u0439\u043b|\u0442\u0435\u043a\u0441\u0442|\u043f\u0438\u0441\u044c\u043c\u043e)(?![\p{L}])|\u5185\u5bb9|\u5167\u5bb9|\u4ee5\u4e0b|\u5982\u4e0b|\u6587\u4ef6|\u8f93\u51fa|\u7ed3\u679c|\u65e5\u5fd7|\u7f51\u9875|\u90ae\u4ef6|\u4e0b\u8a18|\u6b21\u306e|\u30d5\u30a1\u30a4\u30eb|\u51fa\u529b|\u7d50\u679c|\u30ed\u30b0|\u30e1\u30fc\u30eb|\ub0b4\uc6a9|\ud30c\uc77c|\ucd9c\ub825|\uacb0\uacfc|\ub2e4\uc74c|\u0645\u062d\u062a\u0648\u0649|\u0627\u0644\u0646\u0635|\u05ea\u05d5\u05db\u05df/iu;
const RULES_ELSEWHERE =
  /regel|r\u00e8gle|regla|regol|regra|\u043f\u0440\u0430\u0432\u0438\u043b|\u89c4\u5219|\u898f\u5247|\u89c4\u8303|\u30eb\u30fc\u30eb|\u8981\u6c42|\uaddc\uce59/iu;

/** A word in another script or with diacritics, for introductions that are not listed. */
const FOREIGN_WORD = /(?![A-Za-z])\p{L}/u;
const REMEMBERS_ELSEWHERE =
  /merk|denk|recuerd|souvien|retien|ricord|lembr|zapami\u0119t|\u0437\u0430\u043f\u043e\u043c\u043d|\u8bb0\u4f4f|\u899a\u3048|\uae30\uc5b5|pr\u00e9f\u00e9r|vorlieb|w\u00fcnsch|prefer/iu;
/** The last word of a program's line before its result. */
const ENDS_WITH_RESULT = /\b(?:results?|outputs?|contents?|responses?|stdout|stderr|transcript|log|error)\W{0,4}$/i;
/** Words before a quotation that attribute it. */
export const SAID_BEFORE =
  /\b(?:says?|said|saying|reads?|wrote|writes?|states?|stated|claims?|told (?:me|us)|repl(?:ied|ies)|prints?|printed|returns?|returned|shows?)\b[^.!?\n]{0,24}$|:\s{0,3}$/i;

/** Longer text is a sentence of its own. */
export const MAX_LEAD = 200;
const MAX_TITLE = 60;

/** True if the words before a colon announce a text by another author, below them or in the same line. */
export function announcesText(lead: string, isBelow: boolean): boolean {
  if (SAYS.test(lead) && !SAID_MYSELF.test(lead)) return true;
  if (WILL.test(lead) || ORDERS.test(lead)) return false;
  if (isNamed(lead) || [SHOWS, WORK_ON, PLACE].some((pattern) => pattern.test(lead))) return true;
  if (ANNOUNCES.test(lead) && SOURCE.test(lead)) return true;
  if (TO_MACHINES.test(lead) || CAME_UPON.test(lead) || TEXT_WORK.test(lead)) return true;
  if (ELSEWHERE.test(lead) && !RULES_ELSEWHERE.test(lead)) return true;
  if (!isBelow) return false;
  if ([POINTS, ADDRESS, ENDS_WITH_RESULT].some((pattern) => pattern.test(lead))) return true;
  return FOREIGN_WORD.test(lead) && !RULES_ELSEWHERE.test(lead) && !REMEMBERS_ELSEWHERE.test(lead);
}

/** The same for words before a dash or an arrow. */
export function announcesBehindDash(lead: string): boolean {
  return isNamed(lead) || (SAYS.test(lead) && !SAID_MYSELF.test(lead));
}

/** True if the words are only the name of such a text. */
function isNamed(lead: string): boolean {
  return TITLE.test(lead) || (NAMED.test(lead) && !PRODUCT.test(lead));
}

/**
 * True if the lines after this one, which has no colon, are such a text: after a heading, a file name, "Summarize the
 * text".
 */
export function isTitle(line: string): boolean {
  const [, hashes = "", title = ""] = /^(#{0,6})\s{0,8}(\S.{0,199})$/.exec(line.trim()) ?? [];
  const plain = title.replace(/[*_`\p{Extended_Pictographic}]+/gu, "").trim();
  if (/^(?:file|filename|path|source|page|url|title|document|attached|attachment)\b[:\s]+\S{1,120}$/i.test(plain))
    return true;
  if (FILE_NAME.test(plain) && !PRODUCT.test(plain)) return true;
  if (hashes !== "") return !OWN_TITLE.test(plain);
  if (/[.?!]\s/.test(plain) || WILL.test(plain)) return false;
  if (IN_A_SENTENCE.test(plain) && SOURCE.test(plain)) return true;
  const isOpen = !/[.?!,;:]$/.test(plain);
  if (isOpen && plain.length <= MAX_TITLE && TITLE.test(plain)) return true;
  if (/^(?:[-*+•]|\d{1,3}[.)]) /.test(title)) return false;
  if (TEXT_WORK.test(plain)) return true;
  return isOpen && !ORDERS.test(plain) && (SAYS.test(plain) || SHOWS.test(plain)) && !SAID_MYSELF.test(plain);
}
