import { termHashes } from "../../language/terms.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** A message that asks for something to be done with memories: to forget some of them, or to list them. */
export type MemoryRequest = { readonly kind: "forget"; readonly about: string } | { readonly kind: "list" };

/** Maximum characters of a request; longer messages are something else. */
const MAX_LENGTH = 300;
/** Share of the words of a request that a fact has to have. */
const MIN_SHARED = 0.6;
/** Maximum facts that one request deletes; a request that fits more is too vague. */
const MAX_FORGOTTEN = 5;

const POLITE = String.raw`(?:please|can you|could you|bitte|por favor|s'il (?:te|vous) plaît|per favore|пожалуйста)[,\s]+`;
const FORGET = new RegExp(
  String.raw`^(?:${POLITE})?(?:forget (?:that|about|what i said about|my|the fact that)\s+|stop remembering (?:that\s+)?|don['’]t remember (?:that\s+)?|delete (?:the|your) memory (?:that|about|of)\s+|vergiss,?\s+(?:dass\s+|mein\p{L}*\s+)|olvida (?:que|mi)\s+|oublie (?:que|qu['’]|mon|ma|mes)\s*|esque[cç]a? (?:que|meu|minha)\s+|dimentica (?:che|il mio|la mia)\s+|забудь,?\s+(?:что\s+|про\s+)?|请?忘(?:记|掉|了))(?<about>.+)$`,
  "isu",
);
const LIST =
  /^(?:(?:so|and|please|tell me)[,\s]+)?(?:what (?:do|did) you (?:know|remember|have saved) about me|what (?:else )?have you (?:remembered|learn(?:ed|t)) about me|which memories do you have|list (?:my|your) memories|was weißt du (?:alles )?über mich|qué sabes (?:de|sobre) mí|que sais[- ]tu (?:de|sur) moi|o que (?:você|tu) sabes? (?:de|sobre) mim|cosa sai di me|что ты (?:обо мне знаешь|знаешь обо мне)|你(?:知道|了解|记得)(?:关于)?我(?:的)?(?:什么|哪些).*|私について何を(?:知って|覚えて).*)[\s?.!？。]*$/iu;

/**
 * Reads a message as a request about memories.
 *
 * @param text Message of the user.
 * @returns the request, or `undefined` if the message is something else.
 *
 * @example
 * readMemoryRequest("Please forget that I live in Oslo"); // { kind: "forget", about: "I live in Oslo" }
 * readMemoryRequest("What do you know about me?"); // { kind: "list" }
 */
export function readMemoryRequest(text: string): MemoryRequest | undefined {
  const message = text.trim();
  if (message.length > MAX_LENGTH) return undefined;
  if (LIST.test(message)) return { kind: "list" };
  const about = FORGET.exec(message)?.groups?.about?.trim();
  return about === undefined ? undefined : { kind: "forget", about };
}

/**
 * Finds the facts that a request to forget is about.
 *
 * @param facts Facts of the user.
 * @param about What to forget, as in a request. Only the first 300 characters count.
 * @returns the facts, or none if nothing fits or the request is too vague.
 *
 * @example
 * const request = readMemoryRequest("Forget that I live in Oslo");
 * if (request?.kind === "forget") await book.remove(findForgotten(facts, request.about).map(({ id }) => id));
 */
export function findForgotten(facts: readonly MemoryFact[], about: string): readonly MemoryFact[] {
  const wanted = termHashes(about.slice(0, MAX_LENGTH));
  if (wanted.size === 0) return [];
  const shares = facts.map((fact) => {
    const terms = termHashes(fact.fact);
    return { fact, share: [...wanted].filter((hash) => terms.has(hash)).length / wanted.size };
  });
  const best = Math.max(0, ...shares.map(({ share }) => share));
  const found = best < MIN_SHARED ? [] : shares.filter(({ share }) => share === best);
  return found.length > MAX_FORGOTTEN ? [] : found.map(({ fact }) => fact);
}
