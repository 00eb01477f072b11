import { builtFile, manifest } from "../built.ts";

/** The functions of the built package, by the entry point and the name under which they are exported. */
// biome-ignore lint/suspicious/noExplicitAny: called by name, each as its adapter knows it.
export type Exported = (...args: any[]) => any;
export type Entries = Readonly<Record<string, Readonly<Record<string, Exported>>>>;

/** Subpaths of the core, some of whose functions the root exports too: listed with the root. */
const AREAS = new Set(
  ["compact", "context", "memory", "messages", "store", "tokens", "transcript"].map((area) => `./${area}`),
);

/** Every exported function of every entry point, and the methods of the object that `createThroughline` returns. */
export async function exportedFunctions(): Promise<Entries> {
  const entries: Record<string, Record<string, Exported>> = {};
  for (const [entry, file] of Object.entries(manifest.exports)) {
    if (typeof file !== "string" || !file.endsWith(".js") || entry.startsWith("./internal/")) continue;
    const exported: Record<string, unknown> = await import(builtFile(file.replace("./dist/", "")));
    const functions = Object.entries(exported).filter(
      (pair): pair is [string, Exported] => typeof pair[1] === "function",
    );
    const place = AREAS.has(entry) ? "." : entry;
    entries[place] = { ...entries[place], ...Object.fromEntries(functions) };
  }
  const throughline = await entries["."]?.createThroughline?.({});
  entries.tl = methodsOf(throughline);
  entries["tl.memory"] = methodsOf(throughline.memory);
  entries["tl.context"] = methodsOf(throughline.context);
  entries["tl.session()"] = methodsOf(throughline.session("s"));
  return entries;
}

function methodsOf(value: object): Record<string, Exported> {
  const methods: Record<string, Exported> = {};
  for (let owner = value; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name !== "constructor" && typeof member === "function") methods[name] ??= member;
    }
  }
  return methods;
}
