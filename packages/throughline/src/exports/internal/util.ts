/**
 * General helpers: JSON, text, secrets, errors and checks of options.
 *
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  FUNCTION,
  findSimilar,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
  TEXTS,
} from "../../errors/check-options.ts";
export { lostAttempts } from "../../errors/store-errors.ts";
export { readServer } from "../../http/model-server.ts";
export { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
export {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  otherFields,
  recordField,
  sameJson,
  stringField,
  tryParseJson,
  valuesText,
} from "../../internal/json.ts";
export { Lru } from "../../internal/lru.ts";
export { parseJsonYielding } from "../../internal/parse-json-yielding.ts";
export { cutMiddle, messageOf, oneLine, stripInvisible } from "../../internal/text.ts";
export { DAY } from "../../internal/time.ts";
export { mapYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
export { splitSentences } from "../../language/sentences.ts";
export { readTerms, termHashes } from "../../language/terms.ts";
export { PROVIDERS } from "../../message/legality-rules.ts";
export { messageText, pageOf } from "../../message/message-text.ts";
export { type RedactedMessage, redactMessage, redactParts } from "../../message/redact-message.ts";
export { isErrorOutput, toolOutputText } from "../../message/tool-output.ts";
export { SYSTEM_CLOCK } from "../../ports/clock.ts";
export { QUIET } from "../../ports/logger.ts";
export { useVocabularyCache } from "../../tokens/bpe/vocabulary.ts";
export { jsonText } from "../../tokens/count-bytes.ts";
export { createTokenCounter } from "../../tokens/token-counter.ts";
export { cutText } from "../../trim/cut-large-parts.ts";
