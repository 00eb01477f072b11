import type { LinkedUnit } from "./link-units.ts";

const FORMS: readonly (readonly [name: RegExp, template: string])[] = [
  [/([._-])(test|spec)(\.[a-z]+)$/, "{module}$1$2$3"],
  [/_test\.go$/, "{module}_test.go"],
  [/^test_.*(\.py)$/, "test_{module}.py"],
  [/(Tests?|IT)\.java$/, "{Class}$1.java"],
];
const FOLDER = /(?:^|\/)(tests?|__tests__|specs?|e2e)\//;

/** Most frequent form of test file paths: `tests/{module}.test.ts`. */
export function testFileTemplate(units: readonly LinkedUnit[]): string {
  const forms = [...new Set(units.map(({ path }) => path))].map(formOf);
  const counts = Map.groupBy(forms, (form) => form);
  return [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0] ?? "{module}";
}

function formOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const folder = FOLDER.exec(path)?.[1];
  const found = FORMS.find(([pattern]) => pattern.test(file));
  const match = found?.[0].exec(file);
  const name =
    found === undefined || match === null || match === undefined
      ? `{module}${/\.[a-z]+$/.exec(file)?.[0] ?? ""}`
      : found[1].replace(/\$(\d)/g, (_, i: string) => match[Number(i)] ?? "");
  if (folder === undefined && file.endsWith(".rs")) return `${name} (mod tests)`;
  // In Java, folders are packages, so only the name is used.
  return folder === undefined || file.endsWith(".java") ? name : `${folder}/${name}`;
}
