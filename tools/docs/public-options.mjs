import { join } from "node:path";
import ts from "typescript";

/** @typedef {import("../package/entry-points.mjs").Package} Package */

/** Types of parameters that are no options: messages, memories and other data, ports, and objects of the library. */
const DATA = new Set([
  ...["AnyModel", "Clock", "EmbeddingModelLike", "EncryptionKey", "FactStore", "M", "McpThroughline", "Model", "Store"],
  ...["CompactionTracker", "FactBook", "Session", "SessionSource"],
  ...["AbortSignal", "AsyncIterable", "ReadonlySet", "Uint8Array"],
  ...["AnthropicConversation", "LegacyMessage", "Message", "Part", "Receipt", "Tape"],
  ...["ChatFact", "Claim", "ComparableFact", "Contradiction", "Memory", "MemoryFact", "Mention", "T"],
  ...["FactSelection", "Edits", "OpenEdit"],
  ...["ImportRecord", "InterruptedMove", "InterruptedUndo", "Ledger"],
]);
/** Parameters without a type of their own that are no options, and constructors that only the library calls. */
const DATA_PARAMETERS = new Set([
  "new ContextService(ports)",
  "new MemoryService(context)",
  "new Session(deps)",
  "new SessionWindow(parts)",
  "new CompactionTracker(session)",
  "CompactionTracker.note(__0)",
  "calculateEvictionScore(__0)",
  "calibrationRatio(calibration)",
  "eraseStoredSession(__0)",
  "evictionScore(__0)",
  "observeUsage(calibration)",
  "openContradiction(finding)",
  "prepareChatTurn(session)",
  "saveCompactionEvent(event)",
  "tools(throughline)",
]);
/** Objects whose methods are not called by users: ports, which users implement, and objects that the AI SDK calls. */
const NOT_CALLED = new Set([
  ...[
    "AnswerStore",
    "BlobStore",
    "ConversationList",
    "DocumentStore",
    "Embedder",
    "EventLog",
    "JobQueue",
    "MemoryStore",
  ],
  ...["MessageLog", "Model", "SessionNotifications", "SessionStore", "SqlStore", "StreamReader", "TokenStore"],
  ...["ReplayingModel", "SessionChatTransport", "SessionMiddleware", "SessionTool"],
]);
/** Constructors of errors, which take the standard `ErrorOptions`, and components, whose props React passes. */
const OTHER_RULES = /^new \w+Error$|^[A-Z]\w*$/;

/**
 * The parameters of public functions that take options, as `function(parameter)`.
 *
 * @param {Package} from
 * @param {readonly string[]} entries names of entry points. Default: all
 */
export function optionParameters(from, entries = Object.keys(from.entries)) {
  return objectParameters(from)
    .filter(({ entry, name, type }) => {
      const isCalled = !NOT_CALLED.has(name.split(".")[0] ?? "") && !OTHER_RULES.test(name);
      return entries.includes(entry) && isCalled && !DATA.has(type);
    })
    .map(({ name, parameter }) => `${name}(${parameter})`)
    .filter((key) => !DATA_PARAMETERS.has(key));
}

/**
 * A parameter of a public function that takes an object.
 *
 * @typedef {object} ObjectParameter
 * @property {string} entry entry point that exports the function, or the function that returns its object
 * @property {string} name the function, `new Class` or `Type.method`
 * @property {string} parameter
 * @property {string} type name of its type; `object` if it has none
 */

const COMPILER = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  lib: ["lib.es2024.d.ts"],
};

/**
 * All parameters with an object type, of the functions and classes that a package exports and of the objects that these
 * return. Read from the built types.
 *
 * @param {Package} from
 * @returns {ObjectParameter[]}
 */
function objectParameters({ folder, entries }) {
  const own = Object.fromEntries(Object.entries(entries).filter(([name]) => !name.startsWith("internal/")));
  const files = new Map(Object.keys(own).map((entry) => [entry, join(folder, "dist", `${entry}.d.ts`)]));
  const program = ts.createProgram([...files.values()], COMPILER);
  const reader = new ParameterReader(program.getTypeChecker(), join(folder, "dist").replaceAll("\\", "/"));
  for (const [entry, file] of files)
    reader.readEntry(entry, /** @type {ts.SourceFile} */ (program.getSourceFile(file)));
  return reader.found;
}

class ParameterReader {
  /** @type {ObjectParameter[]} */
  found = [];
  #checker;
  #folder;
  #entry = "";
  /** @type {Set<ts.Symbol | ts.Type>} */
  #seen = new Set();

  /**
   * @param {ts.TypeChecker} checker
   * @param {string} folder folder of the declarations that belong to the package
   */
  constructor(checker, folder) {
    this.#checker = checker;
    this.#folder = folder;
  }

  /**
   * @param {string} entry
   * @param {ts.SourceFile} source
   */
  readEntry(entry, source) {
    this.#entry = entry;
    const module = this.#checker.getSymbolAtLocation(source);
    for (const exported of module === undefined ? [] : this.#checker.getExportsOfModule(module)) {
      if (exported.declarations?.some((one) => ts.isExportSpecifier(one) && ts.isTypeOnlyExportDeclaration(one)))
        continue;
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported;
      if ((symbol.flags & ts.SymbolFlags.Value) === 0 || this.#seen.has(symbol)) continue;
      this.#seen.add(symbol);
      const type = this.#checker.getTypeOfSymbol(symbol);
      this.#readSignatures(symbol.name, type.getCallSignatures());
      this.#readSignatures(`new ${symbol.name}`, type.getConstructSignatures());
      this.#readObject(symbol.name, type);
    }
  }

  /**
   * @param {string} name
   * @param {readonly ts.Signature[]} signatures
   */
  #readSignatures(name, signatures) {
    for (const signature of signatures) {
      for (const parameter of signature.getParameters()) {
        const given = this.#checker.getTypeOfSymbol(parameter);
        if ((given.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) continue;
        const type = this.#checker.getNonNullableType(given);
        const object = membersOf(type).find((one) => this.#isObject(one));
        if (object === undefined) continue;
        const row = {
          entry: this.#entry,
          name,
          parameter: parameter.name,
          type: nameOf(type) ?? nameOf(object) ?? "object",
        };
        if (!this.found.some((one) => one.entry === row.entry && one.name === name && one.parameter === row.parameter))
          this.found.push(row);
      }
      this.#readObject(`${name}()`, signature.getReturnType());
    }
  }

  /**
   * The methods of an object, and of the objects in its properties.
   *
   * @param {string} path
   * @param {ts.Type} given
   */
  #readObject(path, given) {
    const type = this.#checker.getNonNullableType(this.#checker.getAwaitedType(given) ?? given);
    if (type.isUnion()) {
      for (const one of type.types) this.#readObject(path, one);
      return;
    }
    if (this.#seen.has(type) || !this.#isObject(type) || !this.#isOwn(type)) return;
    this.#seen.add(type);
    const owner = nameOf(type) ?? path;
    for (const property of type.getProperties()) {
      const value = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(property));
      const signatures = value.getCallSignatures();
      if (signatures.length > 0) this.#readSignatures(`${owner}.${property.name}`, signatures);
      else this.#readObject(`${owner}.${property.name}`, value);
    }
  }

  /**
   * @param {ts.Type} type
   * @returns {boolean}
   */
  #isObject(type) {
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
      const limit = type.getConstraint();
      return limit === undefined || this.#isObject(limit);
    }
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return false;
    return !this.#checker.isArrayLikeType(type) && type.getCallSignatures().length === 0;
  }

  /** @param {ts.Type} type */
  #isOwn(type) {
    const declaration = (type.aliasSymbol ?? type.symbol)?.declarations?.[0];
    return declaration?.getSourceFile().fileName.startsWith(this.#folder) ?? false;
  }
}

/** @param {ts.Type} type */
function membersOf(type) {
  return type.isUnion() ? type.types : [type];
}

/**
 * @param {ts.Type} type
 * @returns {string | undefined}
 */
function nameOf(type) {
  const name = (type.aliasSymbol ?? type.getSymbol())?.name;
  return name === undefined || name.startsWith("__") ? undefined : name;
}
