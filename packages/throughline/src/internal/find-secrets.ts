/** Kind of a secret. */
export type SecretKind = "api-key" | "token" | "private-key" | "password" | "card-number" | "account-number";

/** Position of a secret in a text, `end` exclusive. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

/** A form of secrets. The group `secret`, `quoted` or `single` is the secret, if it is not the whole match. */
interface SecretForm {
  readonly kind: SecretKind;
  readonly pattern: RegExp;
  /** Matches all texts with a secret of this form, in less time than the pattern takes. */
  readonly clue?: RegExp;
  readonly isOne?: (secret: string, groups: Groups) => boolean;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Keys with a vendor's prefix. */
const VENDOR_KEYS = [
  "sk-ant-[\\w-]{20,}", // Anthropic
  "sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", // OpenAI and those that follow it
  "(?:AKIA|ASIA)[0-9A-Z]{16}", // AWS
  "gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}", // GitHub
  "gl(?:pat|dt|ptt|rt|cbt)-[A-Za-z0-9_-]{20,}", // GitLab
  "xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{20,}", // Slack
  "AIza[0-9A-Za-z_-]{35}", // Google
  "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}", // Stripe
  "SG\\.[\\w-]{16,}\\.[\\w-]{16,}", // SendGrid
  "npm_[A-Za-z0-9]{36}", // npm
  "pypi-[A-Za-z0-9_-]{40,}", // PyPI
  "hf_[A-Za-z0-9]{30,}", // Hugging Face
  "do[opr]_v1_[a-f0-9]{64}", // DigitalOcean
  "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", // Shopify
  "sq0(?:atp|csp|idp)-[\\w-]{22,}", // Square
  "key-[0-9a-f]{32}", // Mailgun
  "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{40,}", // Doppler
  "vc[kpi]_[A-Za-z0-9]{24,}|sbp_[a-f0-9]{40}|re_[A-Za-z0-9]{8,}_[A-Za-z0-9]{20,}", // Vercel, Supabase, Resend
  "(?:gsk|xai|pplx|tvly)[-_][A-Za-z0-9_-]{24,}", // Groq, xAI, Perplexity, Tavily
  "\\d{8,10}:AA[\\w-]{33}", // Telegram
  "[MNO][A-Za-z\\d_-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,}", // Discord
];

/** Names of secrets. */
const SECRET_WORDS =
  "pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:key|token|access[_-]?key))?|api[_-]?key|apikey|access[_-]?(?:key|token)|auth[_-]?(?:key|token)|client[_-]?secret|private[_-]?key|encryption[_-]?key|signing[_-]?key|bearer[_-]?token|refresh[_-]?token|connection[_-]?string|account[_-]?key";
const NAME_PREFIX = String.raw`[\w.-]{0,40}[_.-]`;
const SECRET_NAME = new RegExp(`^(?:${NAME_PREFIX}pass|(?:${NAME_PREFIX})?(?:${SECRET_WORDS}))$`, "i");
/** Environment variables such as `NPM_TOKEN`. */
const TOKEN_VARIABLE = /^[A-Z][A-Z\d_]*_TOKEN$/;
/** Names of values that are secrets only if they look generated: `token`, `DEPLOY_KEY`, but also `CACHE_KEY`. */
const AMBIGUOUS_NAME = /^(?:[\w.-]*[_.-])?[Tt](?:oken|OKEN)$|^[A-Z][A-Z\d_]*_KEY$/;

/** Start of a word. In JSON, a word also starts after an escaped line break or tab. */
const WORD_START = String.raw`(?:(?<![\w\\-])|(?<=\\[nrt]))`;
/**
 * Values of assignments. JSON inside of a JSON string has escaped quotes: `escape` is the backslashes before the
 * opening quote, and characters escaped at the same level do not end the value. The first character cannot be a
 * separator, because the quote closes a string then. Values in single quotes and without quotes end before double
 * quotes, so that the string around them stays closed.
 */
const DOUBLE_QUOTED = String.raw`(?<escape>(?:\\(?:\\\\){0,3})?)"(?![\s,:}\]])(?<quoted>(?:[^"\\\n]|\k<escape>\\(?:\k<escape>["\\]|[^"\\\n])){4,400})`;
const SINGLE_QUOTED = String.raw`'(?![\s,:}\]])(?<single>(?:[^'"\\\n]|\\{1,16}[^"\\\n]){4,400})`;
const UNQUOTED = String.raw`(?<secret>(?:[^\s"'\x60,;)}\]\\]|\\{1,16}(?![\\\s"'\x60,;)}\]nrt]|$)){6,400})`;

const FORMS: readonly SecretForm[] = [
  {
    kind: "private-key",
    // Up to the end of the key: the last character that keys may contain.
    pattern: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\w+/=.,:\\-]{0,8000}/g,
  },
  {
    kind: "api-key",
    pattern: new RegExp(String.raw`(?:(?<![\w/-])|(?<=\\[nrt]))(?:${VENDOR_KEYS.join("|")})(?![\w])`, "g"),
    isOne: isRandom,
  },
  { kind: "token", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { kind: "token", pattern: /\b(?:bearer|basic)\s+(?<secret>[A-Za-z0-9._~+/-]{16,}={0,2})/gi, isOne: isRandom },
  {
    kind: "password",
    clue: /:\/\/[^\s/@]{4,281}@/,
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,80}:(?<secret>[^\s:/@]{3,200})@[\w[]/gi,
    isOne: isNoPlaceholder,
  },
  {
    kind: "password",
    // Endings of the names of secrets, and the assignment operator.
    clue: /(?:pass|word|wd|phrase|code|secret|key|token|string)\\{0,7}["']?\s{0,4}[=:]/i,
    pattern: new RegExp(
      String.raw`${WORD_START}(?<name>${NAME_PREFIX}pass|(?:${NAME_PREFIX})?(?:${SECRET_WORDS}|token|key))(?<closing>\\{0,7}["'])?\s{0,4}(?:=|:|=>|:=)\s{0,4}(?:${DOUBLE_QUOTED}|${SINGLE_QUOTED}|${UNQUOTED})`,
      "gi",
    ),
    isOne: isAssigned,
  },
  {
    kind: "password",
    pattern:
      /(?<![\w-])--?(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key|secret-?key)\s{1,4}["']?(?!-)(?<secret>[^\s"'`,;)}\]\\]{4,400})/gi,
    isOne: (secret) => isAssignedSecret(secret) && !/^[a-z]+[.:?!]?$|^[A-Z][a-z]+[.:?!]?$/.test(secret),
  },
  {
    kind: "password",
    pattern:
      /\bcurl\s(?:[^\n|;]|\\\n){0,300}?\s(?:-[a-zA-Z]{0,5}u|--user|--proxy-user)[\s=]{0,2}["']?[^\s:"'\\$]{1,80}:(?<secret>[^\s"'\\]{3,200})/g,
    isOne: isNoPlaceholder,
  },
  {
    kind: "password",
    pattern:
      /\b(?:pass(?:word|phrase|code)?|pwd|pin|api key|secret|token)(?: for \S{1,40}| to \S{1,40})? (?:is|=|was)(?: now)?:? ["'`]?(?<secret>[^\s"'`,;]{4,100})/gi,
    isOne: isSpokenSecret,
  },
  {
    kind: "card-number",
    pattern: /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![\w-]|\.\d)/g,
    isOne: isCardNumber,
  },
  {
    kind: "account-number",
    pattern: /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{2,4}){3,8}(?![A-Za-z\d])/g,
    isOne: isIban,
  },
];

/** Longer texts are searched in overlapping chunks, so that patterns stay fast. */
const PIECE = 100_000;
const OVERLAP = 25_000;
/** Maximum length of a value that is a secret by its name. */
const MAX_NAMED_LENGTH = 1_000;

/**
 * Finds API keys, tokens, private keys, passwords, card numbers and account numbers in a text. Placeholders such as
 * `your-api-key` are not reported.
 *
 * @param text Text of any length.
 * @returns Position and kind of each secret, in the order of the text. Secrets do not overlap.
 *
 * @example
 * findSecrets("My card is 4111 1111 1111 1111."); // [{ kind: "card-number", start: 11, end: 30 }]
 */
export function findSecrets(text: string): Secret[] {
  const found: Secret[] = [];
  for (let from = 0; from === 0 || from < text.length; from += PIECE - OVERLAP) {
    const piece = text.slice(from, from + PIECE);
    for (const form of FORMS) addSecrets(found, piece, form, from);
  }
  return found.length === 0 ? found : mergeOverlaps(found.sort((a, b) => a.start - b.start));
}

/**
 * True if a value is a secret because of its name, such as the value of `DB_PASSWORD` or `dbPassword`.
 *
 * @param name Name of a variable, a field or an argument.
 * @param value The whole value.
 */
export function isNamedSecret(name: string, value: string): boolean {
  if (name === "" || value.length > MAX_NAMED_LENGTH || name.length > MAX_NAMED_LENGTH) return false;
  const plain = name.replace(/([a-z\d])(?=[A-Z])/g, "$1_");
  // Tested before the value: most names are those of other values.
  if (SECRET_NAME.test(plain) || TOKEN_VARIABLE.test(name)) return isAssignedSecret(value);
  return AMBIGUOUS_NAME.test(plain) && isAssignedSecret(value) && isGenerated(value);
}

/**
 * Adds the secrets of one form. The search continues inside of a value that is not one.
 *
 * @param from start of the piece in its text
 */
function addSecrets(found: Secret[], piece: string, { kind, pattern, clue, isOne }: SecretForm, from: number): void {
  if (clue?.test(piece) === false) return;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(piece); match !== null; match = pattern.exec(piece)) {
    const groups: Groups = match.groups ?? {};
    const secret = groups.secret ?? groups.quoted ?? groups.single ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    if (isOne?.(secret, groups) ?? true) found.push({ kind, start: from + start, end: from + start + secret.length });
    else if (start > match.index) pattern.lastIndex = start;
  }
}

/** The same text with secrets masked by stars of the same length. */
export function redactSecrets(text: string, secrets: readonly Secret[] = findSecrets(text)): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of secrets) {
    pieces.push(text.slice(from, start), "*".repeat(end - start));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** Joins matches of several forms, or of two pieces, that overlap. */
function mergeOverlaps(sorted: readonly Secret[]): Secret[] {
  const merged: Secret[] = [];
  for (const secret of sorted) {
    const last = merged.at(-1);
    if (last === undefined || secret.start >= last.end) merged.push(secret);
    else if (secret.end > last.end) merged[merged.length - 1] = { ...last, end: secret.end };
  }
  return merged;
}

/** Letters and digits in no order, and not one sign over and over. */
function isRandom(secret: string): boolean {
  return isNoPlaceholder(secret) && new Set(secret).size >= 8 && /\d/.test(secret) && /[A-Za-z]/.test(secret);
}

/** Placeholder for a secret: `xxxx`, `${TOKEN}`, `process.env.TOKEN`, `AKIAIOSFODNN7EXAMPLE`. */
const PLACEHOLDER =
  /^(?:[<[{(%$*].*|x{3,}.*|\*+|\.{3,}|_+)$|\bx{4,}|\*{3}|process\.env|os\.environ|import\.meta|getenv|\$\{|\.\.\.|…|^(?:null|none|undefined|true|false|string|password|passwd|secret|token|username|user|pass|required|optional|hidden|empty|missing|invalid|wrong|expired|correct|unknown)$/i;
const DOCUMENTED_EXAMPLE = /[A-Z\d]EXAMPLE(?:KEY)?$/;
/** Words only, and one of them marks it as a placeholder: `your-api-key`, `sk-example-key-1`. */
const PLACEHOLDER_WORDS =
  /^(?=(?:.*[-_. ])?(?:your|example|placeholder|change[-_]?me|dummy|redacted|insert|my[-_]?(?:password|secret|token|key)))[a-z_. -]*\d{0,3}$/i;

function isNoPlaceholder(secret: string): boolean {
  return !PLACEHOLDER.test(secret) && !DOCUMENTED_EXAMPLE.test(secret) && !PLACEHOLDER_WORDS.test(secret);
}

/** A value, and not a piece of a program, a path or prose. */
function isAssignedSecret(secret: string): boolean {
  if (!isNoPlaceholder(secret) || secret.length < 4) return false;
  const isCode =
    /^#[0-9a-fA-F]{3,8}$|[(){}<>]|\w\.\w+\(|^[A-Z_]+$|^[a-z]+(?:[A-Z][a-z]+)+$|^[\w-]+\.[a-z][A-Za-z]+$/.test(secret);
  const isPath = /^[.~]{0,2}(?:\/[\w.-]+){2,}\/?$/.test(secret);
  if (isCode || isPath) return false;
  return /[\d!@#$%^&*+=~]|[a-z][A-Z]|.{12}/.test(secret) && !/^[a-z]+(?:[ -][a-z]+)+$/i.test(secret);
}

/** A secret by its name and value. A number after a quoted name is a number in JSON, and no text. */
function isAssigned(secret: string, { name = "", closing }: Groups): boolean {
  if (closing !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(secret)) return false;
  return isNamedSecret(name, secret);
}

/** True for text without words: at least 12 letters and digits in a row, with some of both. */
function isGenerated(secret: string): boolean {
  return (
    isRandom(secret) && (secret.match(/[A-Za-z\d]{12,}/g) ?? []).some((run) => /\d/.test(run) && /[a-z]/i.test(run))
  );
}

/** True if the word after "password is" looks like a password, and not like a call or an element of a list. */
function isSpokenSecret(secret: string): boolean {
  if (!isNoPlaceholder(secret) || /^[\w.]+[[(].*[\])]$/.test(secret)) return false;
  return /\d/.test(secret) && /[A-Za-z!@#$%^&*]|^\d{4,8}$/.test(secret);
}

/** The lengths of account numbers by country, for those that most accounts are in. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27 },
  ...{ GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IL: 23, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27 },
  ...{ MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24, RS: 22, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TR: 26, UA: 29 },
};
/** Prefixes of card numbers: Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro. */
const CARD_PREFIX =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|5|4[4-9])|3(?:0[0-5]|[689])|35(?:2[89]|[3-8])|62|5[068]|6[37])/;

/** True if digits are the number of a payment card: known beginning, known length, and Luhn's check digit. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || !CARD_PREFIX.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** True if text is an international account number: known country and length, and a remainder of 1 modulo 97. */
function isIban(text: string): boolean {
  const plain = text.replace(/\s/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(plain) || IBAN_LENGTHS[plain.slice(0, 2)] !== plain.length) return false;
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
