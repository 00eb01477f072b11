import type { z } from "@hono/zod-openapi";
import { isRecord } from "throughline/internal/util";

// Bodies use snake_case names and ISO dates; the library uses camelCase and milliseconds.

/** Fields whose keys are user data and must not be renamed. */
const WORDS = new Set(["reasons", "template", "data", "before"]);
const IS_TIME = /(?:At|^at|^since|^validFrom|^validTo|^leaseUntil)$/;

/** Converts library data to a response body, validated and reduced to the schema. */
export function toWire<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return schema.parse(renamed(value));
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      toSnakeCase(name),
      WORDS.has(name) ? field : renamedField(name, field),
    ]),
  );
}

function renamedField(name: string, field: unknown): unknown {
  return typeof field === "number" && IS_TIME.test(name) ? toDate(field) : renamed(field);
}

/** Times outside of the calendar stay numbers, so that the schema rejects them. */
function toDate(milliseconds: number): unknown {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? milliseconds : date.toISOString();
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts a request body to library names and drops fields that are undefined. */
export function fromWire<T>(value: T): CamelCased<T> {
  return camel(value) as CamelCased<T>;
}

function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === undefined ? [] : [[toCamelCase(name), WORDS.has(name) ? field : camel(field)]],
    ),
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type CamelName<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : S;

type CamelCased<T> = T extends readonly (infer E)[]
  ? CamelCased<E>[]
  : T extends object
    ? { [K in keyof T as K extends string ? CamelName<K> : K]: CamelCased<Exclude<T[K], undefined>> }
    : T;
