// Bodies and queries use snake_case names; the library and the typed client use camelCase.

export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type CamelName<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : S;

/** The type with its fields in camelCase, without values of the type `Dropped`. */
export type CamelCased<T, Dropped = never> = T extends readonly (infer E)[]
  ? CamelCased<E, Dropped>[]
  : T extends object
    ? { [K in keyof T as K extends string ? CamelName<K> : K]: CamelCased<Exclude<T[K], Dropped>, Dropped> }
    : T;
