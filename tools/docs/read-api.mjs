import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { Failure } from "../run/run-tool.mjs";

// Reads the exports of a module from the declarations alone: each file is turned into its type declarations without
// looking at other files, which takes milliseconds. It needs explicit types at exports, which the linter asks for
// anyway.

/**
 * An exported name with its declarations.
 *
 * @typedef {object} Exported
 * @property {string} name
 * @property {"function" | "class" | "constant" | "type"} kind
 * @property {string} code the declarations without bodies; members keep their comments
 * @property {readonly string[]} members the names of the properties of an interface
 * @property {Comment} comment
 *
 * @typedef {object} Comment
 * @property {string} text
 * @property {readonly { readonly name: string, readonly text: string }[]} params
 * @property {string} returns
 * @property {readonly string[]} throws
 * @property {readonly string[]} examples
 */

/** @type {Map<string, ts.SourceFile>} */
const parsed = new Map();
/** @type {Map<string, ts.SourceFile>} */
const declared = new Map();

/**
 * All names that a module exports, in alphabetical order. Names that come from other packages are left out.
 *
 * @param {string} file
 * @returns {Exported[]}
 */
export function readApi(file) {
  const found = [...exportsOf(file)].flatMap(([name, place]) => {
    const exported = place && describe(name, place);
    return exported ? [exported] : [];
  });
  return found.sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * The comment at the head of a module that has the tag `@module`: its text and its examples.
 *
 * @param {string} file
 */
export function readModuleComment(file) {
  const source = parse(file);
  const [first] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const comment = first === undefined ? "" : source.text.slice(first.pos, first.end);
  if (!/@module\b/.test(comment)) return { text: "", examples: [] };
  const [text = "", ...examples] = comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replace(/@module.*/, "")
    .split("@example");
  return { text: text.trim(), examples: examples.map((example) => example.trim()) };
}

/** @param {string} file */
function parse(file) {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** @typedef {{ readonly file: string, readonly local: string } | undefined} Place where a name is declared */

/**
 * @param {string} file
 * @returns {Map<string, Place>}
 */
function exportsOf(file) {
  /** @type {Map<string, Place>} */
  const names = new Map();
  for (const statement of parse(file).statements) {
    if (ts.isExportDeclaration(statement)) {
      if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) {
        throw new Failure(`${file}: export * is not supported. List the exported names.`);
      }
      for (const { name, propertyName } of statement.exportClause.elements) {
        names.set(name.text, placeOf(file, (propertyName ?? name).text, statement.moduleSpecifier));
      }
    } else if (isExported(statement)) {
      for (const name of namesOf(statement)) names.set(name, { file, local: name });
    }
  }
  return names;
}

/**
 * @param {string} file
 * @param {string} name
 * @param {ts.Expression | undefined} specifier
 * @returns {Place}
 */
function placeOf(file, name, specifier) {
  if (specifier !== undefined) {
    const target = resolve(file, specifier);
    return target === undefined ? undefined : followTo(target, name);
  }
  const imported = parse(file).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [];
    const bindings = statement.importClause?.namedBindings;
    const element = bindings && ts.isNamedImports(bindings) && bindings.elements.find((one) => one.name.text === name);
    return element ? [{ name: (element.propertyName ?? element.name).text, from: statement.moduleSpecifier }] : [];
  })[0];
  if (imported === undefined) return { file, local: name };
  const target = resolve(file, imported.from);
  return target === undefined ? undefined : followTo(target, imported.name);
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {Place}
 */
function followTo(file, name) {
  const exported = exportsOf(file);
  if (!exported.has(name)) throw new Failure(`${file} does not export ${name}.`);
  return exported.get(name);
}

/**
 * @param {string} file
 * @param {ts.Expression} specifier
 */
function resolve(file, specifier) {
  const text = ts.isStringLiteral(specifier) ? specifier.text : "";
  if (!text.startsWith(".")) return undefined;
  const target = join(dirname(file), text);
  if (!existsSync(target)) throw new Failure(`${file} imports ${text}, which does not exist.`);
  return target;
}

/** @param {ts.Statement} statement */
function isExported(statement) {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** @param {ts.Statement} statement */
function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = /** @type {ts.DeclarationStatement} */ (statement);
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

/**
 * @param {string} name
 * @param {NonNullable<Place>} place
 * @returns {Exported | undefined}
 */
function describe(name, { file, local }) {
  const statements = declarations(file).statements.filter((statement) => namesOf(statement).includes(local));
  const [first] = statements;
  if (first === undefined) return undefined;
  const code = statements.map((statement) =>
    statement
      .getText()
      .replace(/^export (?:declare )?|^declare /, "")
      .replace(/^ +#private;\n/m, "")
      .replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2)),
  );
  return {
    name,
    kind: kindOf(first),
    code: code.join("\n").replace(/;$/, ts.isVariableStatement(first) ? "" : ";"),
    members: membersOf(first),
    comment: readComment(statements.find((statement) => ts.getJSDocCommentsAndTags(statement).length > 0) ?? first),
  };
}

/**
 * The file as its `.d.ts` would be.
 *
 * @param {string} file
 */
function declarations(file) {
  const known = declared.get(file);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileDeclaration(readFileSync(file, "utf8"), {
    fileName: file,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX },
  });
  const source = ts.createSourceFile(`${file}.d.ts`, outputText, ts.ScriptTarget.Latest, true);
  declared.set(file, source);
  return source;
}

/**
 * @param {ts.Statement} statement
 * @returns {Exported["kind"]}
 */
function kindOf(statement) {
  if (ts.isFunctionDeclaration(statement)) return "function";
  if (ts.isClassDeclaration(statement)) return "class";
  return ts.isVariableStatement(statement) ? "constant" : "type";
}

/** @param {ts.Statement} statement */
function membersOf(statement) {
  if (!ts.isInterfaceDeclaration(statement)) return [];
  return statement.members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}

/**
 * @param {ts.Statement} statement
 * @returns {Comment}
 */
function readComment(statement) {
  const docs = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const text = docs.map(({ comment }) => plain(comment)).join("\n\n");
  const tags = ts.getJSDocTags(statement);
  const named = (/** @type {string} */ name) =>
    tags.filter((tag) => tag.tagName.text === name).map(({ comment }) => plain(comment));
  const params = tags
    .filter(ts.isJSDocParameterTag)
    .map((tag) => ({ name: tag.name.getText(), text: plain(tag.comment).replace(/^- /, "") }));
  return { text, params, returns: named("returns").join("\n"), throws: named("throws"), examples: named("example") };
}

/** @param {string | ts.NodeArray<ts.JSDocComment> | undefined} comment */
function plain(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? "").trim();
}
