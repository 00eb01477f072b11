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

/** Title and trigger of a pattern. */
export function namePattern(
  group: UnitGroup,
  template: Readonly<Record<string, string>>,
  isShared: boolean,
): PatternName {
  const { title, trigger } = plainName(group, template);
  // If several languages have this kind of pattern, the title names the language.
  return {
    title: isShared ? `${LANGUAGES[familyIn(group)] ?? familyIn(group)} ${title}` : capitalised(title),
    trigger,
  };
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function familyIn({ key }: UnitGroup): string {
  return key.split(":")[1] ?? "";
}

function plainName({ role, name }: UnitGroup, template: Readonly<Record<string, string>>): PatternName {
  switch (role) {
    case "endpoint":
      return { title: isApi(template) ? "API endpoint" : "Web endpoint", trigger: "new_endpoint" };
    case "test":
      return { title: `${template.framework?.split("_")[0] ?? "Unit"} test`, trigger: "new_test" };
    case "component":
      return { title: "React component", trigger: "new_component" };
    case "catch":
      return { title: "Caught error", trigger: "handle_error" };
    default:
      return ownName(role, name);
  }
}

/** Name of a kind that is derived from the project's names: `add…Command` is a command. */
function ownName(role: string, name: string): PatternName {
  const words = wordsIn(name.replace(/^extends /, "").replace("…", " ")).map((word) => word.toLowerCase());
  const isVerb = role === "function" && (name.endsWith("…") || !name.includes("…"));
  return {
    title: words.join(" "),
    trigger: isVerb ? `new_${words.join("_")}_function` : `new_${words.at(-1) ?? role}`,
  };
}

function isApi({ route = "", response = "" }: Readonly<Record<string, string>>): boolean {
  return /\/api\b/.test(route) || /json|model|entity/.test(response);
}
