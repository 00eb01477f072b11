import { isRecord } from "./json.ts";

const FIRST = 0xdeadbeef;
const SECOND = 0x41c6ce57;

/** Returns a short hash of a JSON value. Independent of the order of fields; undefined fields are ignored. */
export function digest(value: unknown): string {
  const text = canonicalJson(value);
  return `${text.length.toString(36)}-${hash(text)}`;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`;
}

/** 64 bits from two lanes that are mixed at the end. Not cryptographic. */
function hash(text: string): string {
  let a = FIRST;
  let b = SECOND;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a = (a << 13) | (a >>> 19);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
