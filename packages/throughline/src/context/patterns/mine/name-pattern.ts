import { type UnitGroup, wordsIn } from "./group-units.ts";

export interface PatternName {
  readonly title: string;
  readonly trigger: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  script: "TypeScript",
  python: "Python",
  go: "Go",
  rust: "Rust",
  java: "Java",
};

const FRAMEWORKS: Readonly<Record<string, string>> = {
  go_test: "Go",
  cargo_test: "Rust",
  node_test: "Node.js",
  bun_test: "Bun",
  junit: "JUnit",
};

type Template = Readonly<Record<string, string>>;

/** Title and trigger of a pattern. */
export function namePattern(group: UnitGroup, template: Template, isShared: boolean): PatternName {
  const { title, trigger } = plainName(group, template);
  // If several languages have this kind of pattern, the title names the language.
  return {
    title: isShared ? inLanguage(title, LANGUAGES[familyIn(group)] ?? familyIn(group)) : capitalized(title),
    trigger,
  };
}

function inLanguage(title: string, language: string): string {
  return title.startsWith(language) ? title : `${language} ${title}`;
}

function capitalized(text: string): string {
  // A name of the code stays as it is.
  return /^\w+\(\)/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function familyIn({ key }: UnitGroup): string {
  return key.split(":")[1] ?? "";
}

function plainName(group: UnitGroup, template: Template): PatternName {
  const { role, name } = group;
  switch (role) {
    case "endpoint":
      if (name !== "endpoint") return functionName(name, template);
      return { title: isApi(template) ? "API endpoint" : "web endpoint", trigger: "new_endpoint" };
    case "middleware":
      return { title: "middleware", trigger: "new_middleware" };
    case "test":
      return {
        title: `${FRAMEWORKS[template.framework ?? ""] ?? template.framework ?? (template.file?.startsWith("e2e/") ? "end-to-end" : "unit")} test`,
        trigger: "new_test",
      };
    case "component":
      return { title: "React component", trigger: "new_component" };
    case "catch":
      return { title: "Caught error", trigger: "handle_error" };
    case "function":
      return functionName(name, template);
    default:
      return kindName(group, template);
  }
}

/** `add…Command` is "add command", `Run` in files named `command.go` is "Run() of a command". */
function functionName(name: string, { file = "" }: Template): PatternName {
  if (name.includes("…")) {
    const words = lower(wordsIn(name.replace("…", " ")));
    const isVerb = name.endsWith("…");
    return {
      title: `function ${name}`,
      trigger: isVerb ? `new_${words.join("_")}_function` : `new_${words.at(-1) ?? "function"}`,
    };
  }
  const place = placeNoun(file);
  return {
    title: place === undefined ? `${name}() function` : `${name}() of a ${place}`,
    trigger: `new_${place?.replaceAll(" ", "_") ?? `${lower(wordsIn(name)).join("_")}_function`}`,
  };
}

/** The noun that a file template names: `{name}/command.go` and `commands/{name}.go` are commands. */
function placeNoun(file: string): string | undefined {
  const parts = file.replace(/\.\w+$/, "").split("/");
  const noun = parts
    .reverse()
    .map((one) => lower(wordsIn(one.replace("{name}", "").replaceAll("*", ""))).join(" "))
    .find((one) => one !== "" && !/^(?:index|mod|main|init|src|lib|app|pkg|internal|cmd)$/.test(one));
  return noun?.replace(/(?<=[^s])s$/, "");
}

/** Words of a name that do not describe a class. */
const EMPTY_WORDS = /^(?:base|abstract|create|define|make|new|build)$/;

/** Name of a kind of class or constant: `extends BaseCommand` is a command, `createRouter` makes a router. */
function kindName({ name, role, units }: UnitGroup, { code = "" }: Template): PatternName {
  if (role === "class" && code.startsWith("impl")) {
    const trait = name.replace("extends ", "");
    return { title: `implementation of ${trait}`, trigger: `new_${lower(wordsIn(trait)).join("_")}` };
  }
  if (isErrorKind(name)) return { title: "error", trigger: "new_error" };
  const isNamed = role === "value" || name.startsWith("@");
  const own = (isNamed ? commonWord(units.map((unit) => unit.name)) : undefined) ?? name.split(".").at(-1) ?? name;
  const all = lower(wordsIn(own.replace(/^extends /, "").replace(/[…@]/g, " ")));
  const words = all.filter((word) => !EMPTY_WORDS.test(word));
  const noun = words.length > 0 ? words : all;
  return { title: noun.join(" ") || role, trigger: `new_${noun.at(-1) ?? role}` };
}

/** True for constants that are errors: `errors.New`, `createError`. */
export function isErrorKind(name: string): boolean {
  return /^errors\.New$|(?:^|\.)(?:create|new|make)\w*Error$/i.test(name);
}

/** Minimum share of names with the same last word. */
const COMMON_SHARE = 0.8;

/** Last word that most names share, if it is not short for another. */
function commonWord(names: readonly string[]): string | undefined {
  const all = Map.groupBy(names, (name) => wordsIn(name).at(-1)?.toLowerCase() ?? "");
  const [best] = [...all].sort((a, b) => b[1].length - a[1].length);
  const isCommon = best !== undefined && best[1].length >= names.length * COMMON_SHARE;
  return isCommon && best[0] !== "cmd" ? best[0] : undefined;
}

function lower(words: readonly string[]): string[] {
  return words.map((word) => word.toLowerCase());
}

function isApi({ route = "", response = "" }: Template): boolean {
  return /\/api\b/.test(route) || /json|model|entity/.test(response);
}
