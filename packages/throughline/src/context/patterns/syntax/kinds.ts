// What nodes are, by the names that the grammars of all languages give them. No two languages use one name for two things.

/** Something is called, or made. */
export const CALLS: ReadonlySet<string> = new Set([
  "call_expression",
  "call",
  "method_invocation",
  "new_expression",
  "object_creation_expression",
  "macro_invocation",
]);

/** Functions with a name of their own. */
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
/** Something depends on what was found. */
export const CHOICES: ReadonlySet<string> = new Set([
  "if_statement",
  "if_expression",
  "ternary_expression",
  "match_expression",
  "switch_statement",
]);
/** What stands around an expression and leaves it what it is. */
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
/** Something gets a name: the fields of the name and of the value. */
export const BINDINGS: ReadonlyMap<string, readonly [name: string, value: string]> = new Map([
  ["variable_declarator", ["name", "value"]],
  ["assignment", ["left", "right"]],
  ["short_var_declaration", ["left", "right"]],
  ["let_declaration", ["pattern", "value"]],
]);
