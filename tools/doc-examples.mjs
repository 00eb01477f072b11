import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { library } from "./entry-points.mjs";
import { libraryFolder, root } from "./paths.mjs";

/** Scratch folder for the generated modules; `tsconfig.doc-examples.json` type-checks it. */
const folder = join(root, "node_modules", ".cache", "throughline", "doc-examples");

/** Declares the variables that examples may use without defining them. */
const prelude = join(libraryFolder, "test", "doc-examples.prelude.ts");

/**
 * @typedef {object} PublicValue
 * @property {string} name
 * @property {string} file source file, as an absolute path
 * @property {string[]} entries source files of the entry points that export it
 * @property {boolean} isFunction
 * @property {string[]} parameters names of the parameters of a function, in order
 * @property {string[]} documented names in its `@param` tags
 * @property {string[]} examples code of its `@example` tags
 */

/** Writes one module per `@example` of a public value, with the imports that it needs. */
export function writeDocExamples() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const values = publicValues();
  const given = declaredIn(parse(prelude));
  for (const value of values) {
    for (const [number, code] of value.examples.entries()) {
      const file = join(folder, `${value.name}-${relative(root, value.file).replace(/\W+/g, "-")}-${number}.mts`);
      writeFileSync(file, moduleOf(file, code, value, values, given));
    }
  }
}

/**
 * @param {string} file the module to write
 * @param {string} code
 * @param {PublicValue} value whose example it is
 * @param {PublicValue[]} values
 * @param {Set<string>} given names that the prelude declares
 */
function moduleOf(file, code, value, values, given) {
  const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const [used, declared] = [namesUsedIn(parsed), declaredIn(parsed)];
  const imports = [...used].flatMap((name) => {
    if (declared.has(name)) return [];
    const source = sourceOf(name, value, values) ?? (given.has(name) ? prelude : undefined);
    return source === undefined ? [] : [`import { ${name} } from ${JSON.stringify(specifier(file, source))};`];
  });
  return `// @example of ${value.name} in ${relative(root, value.file)}\n${imports.join("\n")}\n${code}\nexport {};\n`;
}

/**
 * The file of a public value: of the same entry point, if several have one of that name.
 *
 * @param {string} name
 * @param {PublicValue} near
 * @param {PublicValue[]} values
 */
function sourceOf(name, near, values) {
  const found = values.filter((value) => value.name === name);
  const same = found.find(({ entries }) => entries.some((entry) => near.entries.includes(entry)));
  return (same ?? found[0])?.file;
}

/** @returns {PublicValue[]} all functions, classes and constants that the library exports */
export function publicValues() {
  /** @type {Map<string, PublicValue>} */
  const found = new Map();
  for (const entry of entryPoints()) {
    for (const { name, file } of exportsOf(entry)) {
      const key = `${file} ${name}`;
      const value = found.get(key) ?? { name, file, entries: [], ...describe(file, name) };
      value.entries.push(entry);
      found.set(key, value);
    }
  }
  return [...found.values()];
}

/** Source files of the entry points, without the one for the other packages of the repository. */
function entryPoints() {
  const { internal: _, ...entries } = library.entries;
  return Object.values(entries).map((file) => join(library.folder, file));
}

/** @param {string} entry */
function exportsOf(entry) {
  return parse(entry).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement))
      return isExported(statement) ? [{ name: nameOf(statement), file: entry }] : [];
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    if (isTypeOnly || !exportClause || !ts.isNamedExports(exportClause)) return [];
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    const file = join(dirname(entry), moduleSpecifier.text);
    return exportClause.elements
      .filter((element) => !element.isTypeOnly)
      .map((element) => ({ name: (element.propertyName ?? element.name).text, file }));
  });
}

/**
 * @param {string} file
 * @param {string} name
 */
function describe(file, name) {
  const declarations = parse(file).statements.filter(
    (statement) => isExported(statement) && nameOf(statement) === name,
  );
  const functions = declarations.filter((one) => ts.isFunctionDeclaration(one));
  const tags = declarations.flatMap((one) => ts.getJSDocTags(one));
  const all = functions.flatMap(({ parameters }) => parameters);
  return {
    isFunction: functions.length > 0,
    parameters: [...new Set(all.map((one, index) => (ts.isIdentifier(one.name) ? one.name.text : `(${index})`)))],
    documented: tags.filter((tag) => ts.isJSDocParameterTag(tag)).map((tag) => tag.name.getText()),
    examples: tags.filter(({ tagName }) => tagName.text === "example").map(exampleOf),
  };
}

/**
 * The code of an `@example` as it is written: the compiler's own text joins lines.
 *
 * @param {ts.JSDocTag} tag
 */
function exampleOf(tag) {
  const text = tag.getFullText().replace(/^@example/, "");
  const lines = text.replace(/\*\/\s*$/, "").split("\n");
  return lines
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

/** @param {ts.Node} statement */
function isExported(statement) {
  return ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false;
}

/** @param {ts.Statement} statement */
function nameOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText() ?? "";
  return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? (statement.name?.text ?? "") : "";
}

/**
 * Names that a file uses as values.
 *
 * @param {ts.SourceFile} source
 */
function namesUsedIn(source) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isPropertyAssignment(node)) return visit(node.initializer);
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/**
 * Names that a file declares or imports, at any depth.
 *
 * @param {ts.SourceFile} source
 */
function declaredIn(source) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {ts.Node} */ node) => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isExportSpecifier(node);
    if (isDeclaration && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** @type {Map<string, ts.SourceFile>} */
const parsed = new Map();

/** @param {string} file */
function parse(file) {
  const known = parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, known);
  return known;
}

/**
 * @param {string} from
 * @param {string} to
 */
function specifier(from, to) {
  return relative(dirname(from), to).replaceAll("\\", "/");
}
