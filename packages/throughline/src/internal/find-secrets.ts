import { isCardNumber, isIban } from "./check-digits.ts";

/** Kind of a secret. */
export type SecretKind = "api-key" | "token" | "private-key" | "password" | "card-number" | "account-number";

/** Position of a secret in a text, `end` exclusive. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

/** A form of secrets. The group `secret` is the part that is one, where that is not all of it. */
interface SecretForm {
  readonly kind: SecretKind;
  readonly pattern: RegExp;
  readonly isOne?: (secret: string) => boolean;
}

/** Keys that vendors mark by how they begin. */
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

/** Names under which secrets are kept. */
const SECRET_NAME = String.raw`(?:[\w.-]{1,40}[_.-]pass|(?:[\w.-]{0,40}[_.-])?(?:pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:key|token|access[_-]?key))?|api[_-]?key|apikey|access[_-]?(?:key|token)|auth[_-]?(?:key|token)|client[_-]?secret|private[_-]?key|encryption[_-]?key|signing[_-]?key|bearer[_-]?token|refresh[_-]?token|connection[_-]?string|account[_-]?key))`;

const FORMS: readonly SecretForm[] = [
  {
    kind: "private-key",
    // Up to its end, or as far as what keys are written in goes.
    pattern: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\w+/=.,:\\-]{0,8000}/g,
  },
  {
    kind: "api-key",
    pattern: new RegExp(String.raw`(?<![\w/-])(?:${VENDOR_KEYS.join("|")})(?![\w])`, "g"),
    isOne: isRandom,
  },
  { kind: "token", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { kind: "token", pattern: /\b(?:bearer|basic)\s+(?<secret>[A-Za-z0-9._~+/-]{16,}={0,2})/gi, isOne: isRandom },
  {
    kind: "password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,80}:(?<secret>[^\s:/@]{3,200})@[\w[]/gi,
    isOne: isNoPlaceholder,
  },
  {
    kind: "password",
    pattern: new RegExp(
      String.raw`(?<![\w-])["']?${SECRET_NAME}["']?\s{0,4}(?:=|:|=>|:=)\s{0,4}(?:"(?<quoted>[^"\n]{4,400})"|'(?<single>[^'\n]{4,400})'|(?<secret>[^\s"'\`,;)}\]]{6,400}))`,
      "gi",
    ),
    isOne: isAssignedSecret,
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

/** Text beyond this is not searched at once: patterns stay quick, and an overlap loses nothing. */
const PIECE = 100_000;
const OVERLAP = 25_000;

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
    for (const { kind, pattern, isOne } of FORMS) {
      for (const match of piece.matchAll(pattern)) {
        const secret = match.groups?.secret ?? match.groups?.quoted ?? match.groups?.single ?? match[0];
        const start = from + match.index + match[0].lastIndexOf(secret);
        if (isOne?.(secret) ?? true) addSecret(found, { kind, start, end: start + secret.length });
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The same text with stars in the place of secrets; nothing moves. */
export function redactSecrets(text: string, secrets: readonly Secret[] = findSecrets(text)): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of secrets) {
    pieces.push(text.slice(from, start), "*".repeat(end - start));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** What two patterns find is one secret. */
function addSecret(found: Secret[], secret: Secret): void {
  if (!found.some(({ start, end }) => secret.start < end && start < secret.end)) found.push(secret);
}

/** Letters and digits in no order, and not one sign over and over. */
function isRandom(secret: string): boolean {
  return isNoPlaceholder(secret) && new Set(secret).size >= 8 && /\d/.test(secret) && /[A-Za-z]/.test(secret);
}

/** Placeholder for a secret: `your-api-key`, `xxxx`, `${TOKEN}`, `process.env.TOKEN`. */
const PLACEHOLDER =
  /^(?:[<[{(%$*].*|x{3,}.*|\*+|\.{3,}|_+)$|your|example|placeholder|changeme|dummy|redacted|insert|my[-_]?(?:password|secret|token|key)|\bx{4,}|\*{3}|process\.env|os\.environ|import\.meta|getenv|\$\{|\.\.\.|…|^(?:null|none|undefined|true|false|string|password|passwd|secret|token|username|user|pass|required|optional|hidden|empty|missing|invalid|wrong|expired|correct|unknown)$/i;

function isNoPlaceholder(secret: string): boolean {
  return !PLACEHOLDER.test(secret);
}

/** A value, and not a piece of a program or of prose. */
function isAssignedSecret(secret: string): boolean {
  if (!isNoPlaceholder(secret) || secret.length < 4) return false;
  const isCode =
    /^#[0-9a-fA-F]{3,8}$|[(){}<>]|\w\.\w+\(|^[A-Z_]+$|^[a-z]+(?:[A-Z][a-z]+)+$|^[\w-]+\.[a-z][A-Za-z]+$/.test(secret);
  return !isCode && /[\d!@#$%^&*+=~]|[a-z][A-Z]|.{12}/.test(secret) && !/^[a-z]+(?:[ -][a-z]+)+$/i.test(secret);
}

/** True if the word after "password is" looks like a password. */
function isSpokenSecret(secret: string): boolean {
  return isNoPlaceholder(secret) && /\d/.test(secret) && /[A-Za-z!@#$%^&*]|^\d{4,8}$/.test(secret);
}
