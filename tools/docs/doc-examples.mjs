import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";
import { cli, library, server } from "../package/entry-points.mjs";
import { root } from "../run/paths.mjs";

/**
 * Scratch folder for the generated modules, with a folder for each package. `tsconfig.doc-examples.json` type-checks
 * those of the library; the projects of the other packages check their own.
 */
const scratch = join(root, "node_modules", ".cache", "throughline", "doc-examples");

/** @typedef {import("../package/entry-points.mjs").Package} Package */

/**
 * @typedef {object} PublicValue
 * @property {string} name
 * @property {string} file source file, as an absolute path
 * @property {string[]} entries source files of the entry points that export it
 * @property {boolean} isFunction
 * @property {boolean} isClass of a method: whether it belongs to a class
 * @property {boolean} [isType]
 * @property {string} text description
 * @property {string[]} parameters names of the parameters of a function, in order
 * @property {string[]} documented names in its `@param` tags
 * @property {string[]} examples code of its `@example` tags
 *
 * @typedef {PublicValue & { owner: string }} PublicMethod a method of an exported class or interface, as `owner.method`
 */

/** Writes one module per `@example` of a public value, with the imports that it needs. */
export function writeDocExamples() {
  rmSync(scratch, { recursive: true, force: true });
  const values = [...publicValues(), ...publicTypes()];
  writeExamples(library, [...values, ...publicMethods()], values);
  for (const one of [server, cli]) {
    const own = publicValues(one);
    writeExamples(one, own, [...own, ...values]);
  }
}

/**
 * @param {Package} of
 * @param {readonly PublicValue[]} documented whose examples to write
 * @param {PublicValue[]} values that examples may use without importing them
 */
function writeExamples(of, documented, values) {
  const folder = join(scratch, basename(of.folder));
  mkdirSync(folder, { recursive: true });
  // The prelude declares the variables that examples may use without defining them.
  const prelude = join(of.folder, "test", "doc-examples.prelude.ts");
  const given = { file: prelude, names: declaredIn(parse(prelude)) };
  for (const value of documented) {
    for (const [number, code] of value.examples.entries()) {
      const ending = /<\/|\/>/.test(code) ? "tsx" : "mts";
      const place = relative(root, value.file).replace(/\W+/g, "-");
      const file = join(folder, `${value.name}-${place}-${number}.${ending}`);
      writeFileSync(file, moduleOf(file, code, value, values, given));
    }
  }
}

/**
 * @param {string} file the module to write
 * @param {string} code
 * @param {PublicValue} value whose example it is
 * @param {PublicValue[]} values
 * @param {{ readonly file: string, readonly names: ReadonlySet<string> }} given the prelude, and the names it declares
 */
function moduleOf(file, code, value, values, given) {
  const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const [used, declared] = [namesUsedIn(parsed), declaredIn(parsed)];
  const imports = [...used].flatMap((name) => {
    if (declared.has(name)) return [];
    const found =
      sourceOf(name, value, values) ?? (given.names.has(name) ? { file: given.file, isType: false } : undefined);
    if (found === undefined) return [];
    return [`import { ${found.isType ? "type " : ""}${name} } from ${JSON.stringify(specifier(file, found.file))};`];
  });
  return `// @example of ${value.name} in ${relative(root, value.file)}\n${imports.join("\n")}\n${code}\nexport {};\n`;
}

/**
 * The public value of a name: that of the same entry point, if several have one.
 *
 * @param {string} name
 * @param {PublicValue} near
 * @param {PublicValue[]} values
 */
function sourceOf(name, near, values) {
  const found = values.filter((value) => value.name === name);
  const same = found.find(({ entries }) => entries.some((entry) => near.entries.includes(entry)));
  return same ?? found[0];
}

/**
 * @param {Package} from
 * @returns {PublicValue[]} all functions, classes and constants that a package exports
 */
export function publicValues(from = library) {
  /** @type {Map<string, PublicValue>} */
  const found = new Map();
  for (const entry of entryPoints(from)) {
    for (const { name, file } of exportsOf(entry)) {
      const key = `${file} ${name}`;
      const value = found.get(key) ?? { name, file, entries: [], ...describe(file, name) };
      value.entries.push(entry);
      found.set(key, value);
    }
  }
  return [...found.values()];
}

/** @returns {PublicValue[]} all interfaces that the library exports */
export function publicTypes() {
  return declaredTypes().flatMap(({ entry, file, name, declaration }) =>
    ts.isInterfaceDeclaration(declaration)
      ? [
          {
            name,
            file,
            entries: [entry],
            isFunction: false,
            isClass: false,
            isType: true,
            ...describeAll([declaration]),
          },
        ]
      : [],
  );
}

/** @returns {PublicMethod[]} the methods of all classes and interfaces that the library exports */
export function publicMethods() {
  return declaredTypes().flatMap(({ entry, file, name, declaration }) =>
    declaration.members
      .filter((member) => isMethod(member) && !isBehindOverloads(member))
      .map((member) => ({
        ...{ name: `${name}.${member.name?.getText()}`, owner: name, file, entries: [entry], isFunction: true },
        isClass: ts.isClassDeclaration(declaration),
        ...describeAll([member]),
      })),
  );
}

/** Each exported class and interface once, with its declaration. */
function declaredTypes() {
  const places = entryPoints(library).flatMap((entry) => exportsOf(entry, true).map((one) => ({ ...one, entry })));
  const unique = new Map(places.map((place) => [`${place.file} ${place.name}`, place]));
  return [...unique.values()].flatMap((place) => {
    const found = parse(place.file).statements.find(
      (one) => (ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one)) && one.name?.text === place.name,
    );
    return found === undefined ? [] : [{ ...place, declaration: /** @type {ts.ClassDeclaration} */ (found) }];
  });
}

/** @param {ts.ClassElement | ts.TypeElement} member */
function isMethod(member) {
  if (member.name === undefined || ts.isPrivateIdentifier(member.name)) return false;
  return ts.isMethodDeclaration(member) || ts.isMethodSignature(member);
}

/**
 * True for the implementation of an overloaded method, which callers do not see.
 *
 * @param {ts.ClassElement | ts.TypeElement} member
 */
function isBehindOverloads(member) {
  if (!ts.isMethodDeclaration(member) || member.body === undefined || !ts.isClassDeclaration(member.parent))
    return false;
  const name = member.name.getText();
  return member.parent.members.some((one) => ts.isMethodDeclaration(one) && !one.body && one.name.getText() === name);
}

/**
 * Source files of the entry points, without the one for the other packages of the repository.
 *
 * @param {Package} from
 */
function entryPoints({ folder, entries }) {
  const rest = Object.fromEntries(Object.entries(entries).filter(([name]) => !name.startsWith("internal/")));
  return Object.values(rest).map((file) => join(folder, file));
}

/**
 * @param {string} entry
 * @param {boolean} hasTypes whether to list exported types too
 */
function exportsOf(entry, hasTypes = false) {
  return parse(entry).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement))
      return isExported(statement) ? [{ name: nameOf(statement), file: entry }] : [];
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    if ((isTypeOnly && !hasTypes) || !exportClause || !ts.isNamedExports(exportClause)) return [];
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    const file = join(dirname(entry), moduleSpecifier.text);
    return exportClause.elements
      .filter((element) => hasTypes || !element.isTypeOnly)
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
  return {
    isFunction: declarations.some((one) => ts.isFunctionDeclaration(one)),
    isClass: declarations.some((one) => ts.isClassDeclaration(one)),
    ...describeAll(declarations),
  };
}

/** @param {readonly ts.Node[]} declarations overloads of one function, or a single declaration */
function describeAll(declarations) {
  const tags = declarations.flatMap((one) => ts.getJSDocTags(one));
  const docs = declarations.flatMap((one) => ts.getJSDocCommentsAndTags(one).filter(ts.isJSDoc));
  const all = declarations.flatMap((one) => (ts.isFunctionLike(one) ? [...one.parameters] : []));
  return {
    text: docs.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join(" "),
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
export function namesUsedIn(source) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isPropertyAssignment(node)) return visit(node.initializer);
    if (ts.isJsxAttribute(node))
      return ts.forEachChild(node, (child) => (child === node.name ? undefined : visit(child)));
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
export function declaredIn(source) {
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
export function parse(file) {
  const known = parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, known);
  return known;
}

/**
 * @param {string} from
 * @param {string} to
 */
export function specifier(from, to) {
  return relative(dirname(from), to).replaceAll("\\", "/");
}
