// Kinds of syntax nodes by their names in the grammars of all languages. No name has two meanings.

/** Calls and constructions. */
export const CALLS: ReadonlySet<string> = new Set([
  "call_expression",
  "call",
  "method_invocation",
  "new_expression",
  "object_creation_expression",
  "macro_invocation",
]);

/** Named functions. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "function_definition",
  "method_declaration",
  "function_item",
]);

export const LAMBDAS: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "lambda",
  "lambda_expression",
  "func_literal",
  "closure_expression",
]);

export const CLASSES: ReadonlySet<string> = new Set([
  "class_declaration",
  "abstract_class_declaration",
  "class_definition",
  "record_declaration",
]);

export const CATCHES: ReadonlySet<string> = new Set(["catch_clause", "except_clause"]);
export const THROWS: ReadonlySet<string> = new Set(["throw_statement", "raise_statement"]);
export const RETURNS: ReadonlySet<string> = new Set(["return_statement", "return_expression"]);
/** Branches. */
export const CHOICES: ReadonlySet<string> = new Set([
  "if_statement",
  "if_expression",
  "ternary_expression",
  "match_expression",
  "switch_statement",
]);
/** Wrappers that do not change the meaning of an expression. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  "await_expression",
  "await",
  "non_null_expression",
  "parenthesized_expression",
  "try_expression",
  "as_expression",
  "satisfies_expression",
  "expression_list",
]);
/** Bindings, with the fields of the name and of the value. */
export const BINDINGS: ReadonlyMap<string, readonly [name: string, value: string]> = new Map([
  ["variable_declarator", ["name", "value"]],
  ["assignment", ["left", "right"]],
  ["short_var_declaration", ["left", "right"]],
  ["let_declaration", ["pattern", "value"]],
]);
