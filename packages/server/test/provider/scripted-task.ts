import { isJson, type Json, listOf, type Reply, type Wire } from "./provider.ts";

/** The rule that must be in every window. */
export const RULE = "Never touch src/legacy.";

type Action =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "edit"; readonly path: string; readonly before: string; readonly after: string };

interface Tool {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly schema: Json;
}

export interface TaskOptions {
  /** 22 modules are 60 steps, 62 modules 171. */
  readonly modules: number;
  /** The repository in which the client works. */
  readonly folder: string;
}

/** A rename over many modules, played with the tools that the client offers. */
export interface ScriptedTask {
  readonly prompt: string;
  readonly steps: number;
  /** Steps and calls so far, and summaries that the client requested. */
  readonly progress: { issued: number; calls: number; isDone: boolean; summaries: number };
  answer(body: string, wire: Wire): Reply;
  /** True if a request is a step of the task, not a title, a summary or a connection check. */
  isStep(body: string): boolean;
}

export const moduleName = (index: number): string => `mod_${String(index).padStart(2, "0")}`;

export function scriptedTask({ modules, folder }: TaskOptions): ScriptedTask {
  const script = scriptOf(modules);
  const progress = { issued: 0, calls: 0, isDone: false, summaries: 0 };
  const isStep = (body: string) => {
    const request = JSON.parse(body) as Json;
    return offeredTools(request).some(({ name }) => SHELL.test(name)) && !isSummaryRequest(request);
  };
  return {
    prompt: `Rename order_total to order_sum in all ${modules} modules of src, one module after the other: read it, look for its callers, edit it. Run the tests after every ten modules. ${RULE} Say "All done." at the end.`,
    steps: script.length,
    progress,
    isStep,
    answer(body) {
      const request = JSON.parse(body) as Json;
      if (isSummaryRequest(request)) {
        progress.summaries += 1;
        return {
          text: `Renaming order_total to order_sum in ${modules} modules of src. ${RULE} Go on with the next one.`,
        };
      }
      if (!isStep(body)) return { text: "Rename order_total" };
      const step = Math.max(lastStep(body) + 1, lastStep(body) < 0 ? progress.issued : 0);
      const isNew = step >= progress.issued;
      progress.issued = Math.max(progress.issued, step + 1);
      const actions = script[step];
      if (actions === undefined) {
        progress.isDone = true;
        return { text: "All done." };
      }
      if (isNew) progress.calls += actions.length;
      const tools = offeredTools(request);
      const calls = actions.map((action, index) => ({ id: `step${step}x${index}`, ...callOf(action, tools, folder) }));
      return { text: `Step ${step}.`, thinking: `What is next in step ${step}?`, calls };
    },
  };
}

/** The last step whose results are in the conversation, found by the ids in them. */
function lastStep(body: string): number {
  return Array.from(body.matchAll(/"step(\d+)x\d+/g), ([, step]) => Number(step)).reduce((a, b) => Math.max(a, b), -1);
}

function scriptOf(modules: number): readonly (readonly Action[])[] {
  return Array.from({ length: modules }, (_, index) => {
    const name = moduleName(index);
    const path = `src/${name}.mjs`;
    const read: Action = { kind: "read", path };
    const grep: Action = { kind: "shell", command: `grep -rn order_total_${name} src test` };
    const edit: Action = {
      kind: "edit",
      path,
      before: `export function order_total_${name}(`,
      after: `export function order_sum_${name}(`,
    };
    const looked = index % 3 === 0 ? [[read, grep]] : [[read], [grep]];
    const tests: Action[][] = index % 10 === 9 ? [[{ kind: "shell", command: "node test/run.mjs" }]] : [];
    return [...looked, [edit], ...tests];
  }).flat();
}

const READ = /^(read|read_file|readfile|view)$/i;
const SHELL = /^(bash|shell|exec_command|shell_command|run_shell_command|execute_command|run_commands?)$/i;
const EDIT = /^(edit|replace|str_replace|edit_file)$/i;

/** The tools of a request in any wire format. */
export function offeredTools({ tools }: Json, namespace?: string): readonly Tool[] {
  return listOf(tools).flatMap((tool) => {
    if (tool.type === "namespace") return offeredTools(tool, String(tool.name));
    const declared = [tool, tool.function, ...listOf(tool.functionDeclarations)].filter(isJson);
    return declared.flatMap(({ name, input_schema, parameters, parametersJsonSchema }) => {
      const schema = input_schema ?? parameters ?? parametersJsonSchema;
      return typeof name === "string" && isJson(schema) ? [{ name, namespace, schema }] : [];
    });
  });
}

function callOf(action: Action, tools: readonly Tool[], folder: string): { name: string; input: Json } {
  const find = (pattern: RegExp) => tools.find(({ name }) => pattern.test(name));
  const call = (tool: Tool, values: Values) => ({ name: tool.name, input: fill(tool.schema, values) as Json });
  const shell = find(SHELL);
  const own = action.kind === "read" ? find(READ) : action.kind === "edit" ? find(EDIT) : undefined;
  if (own !== undefined && action.kind === "read") return call(own, { path: `${folder}/${action.path}` });
  if (own !== undefined && action.kind === "edit") {
    return call(own, { path: `${folder}/${action.path}`, before: action.before, after: action.after });
  }
  if (shell === undefined) throw new Error(`The client offers no shell: ${tools.map(({ name }) => name).join(", ")}`);
  return call(shell, { command: commandOf(action), folder });
}

function commandOf(action: Action): string {
  if (action.kind === "shell") return action.command;
  if (action.kind === "read") return `cat ${action.path}`;
  return `sed -i 's/${action.before}/${action.after}/' ${action.path}`;
}

interface Values {
  readonly path?: string;
  readonly command?: string;
  readonly folder?: string;
  readonly before?: string;
  readonly after?: string;
}

const FIELDS: readonly [names: RegExp, value: keyof Values][] = [
  [/^(file_?path|path|absolute_?path|target_file)$/i, "path"],
  [/^(command|cmd|commands)$/i, "command"],
  [/^(workdir|cwd|dir_path|directory)$/i, "folder"],
  [/^old_?(string|text|str)$/i, "before"],
  [/^new_?(string|text|str)$/i, "after"],
];

/** An input that fits a schema: known fields, and a placeholder for every other required one. */
function fill(schema: Json, values: Values, field = ""): unknown {
  const known = values[FIELDS.find(([names]) => names.test(field))?.[1] ?? "path"];
  const isKnown = FIELDS.some(([names]) => names.test(field)) && known !== undefined;
  const type = typeOf(schema);
  if (type === "object") {
    const properties = isJson(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const wanted = Object.entries(properties).filter(
      ([name]) =>
        required.includes(name) || FIELDS.some(([names, key]) => names.test(name) && values[key] !== undefined),
    );
    return Object.fromEntries(wanted.map(([name, inner]) => [name, fill(inner as Json, values, name)]));
  }
  if (type === "array") {
    const items = isJson(schema.items) ? schema.items : {};
    return field === "command" ? ["bash", "-lc", known] : [fill(items, values, field)];
  }
  if (isKnown) return known;
  if (type === "boolean") return false;
  return type === "number" || type === "integer" ? 1 : (listOfStrings(schema.enum)[0] ?? "Rename order_total");
}

const listOfStrings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

function typeOf({ type, anyOf, oneOf, properties }: Json): string {
  if (typeof type === "string") return type.toLowerCase();
  const [first] = Array.isArray(type) ? listOfStrings(type) : listOf(anyOf ?? oneOf).map(typeOf);
  return first ?? (properties === undefined ? "string" : "object");
}

/** Clients compact by asking for a summary in their last message. */
function isSummaryRequest({ messages, input, contents }: Json): boolean {
  const last = listOf(messages ?? input ?? contents).at(-1);
  const text = JSON.stringify(last?.content ?? last?.parts ?? "");
  const asks = /(create|provide|write|generate|produce)[^.\n]{0,60}(summary|handoff|snapshot)/i.test(text);
  return asks && !/"step\d+x\d+/.test(JSON.stringify(last));
}
