import {
  ASIDES,
  DEPLOYERS,
  FORGE_WORDS,
  LOOKS,
  PROGRAMS,
  RUNNER_WORDS,
  SCRIPT_RUNNERS,
  SCRIPT_WORDS,
  SUBCOMMANDS,
} from "./step-tables.ts";

/**
 * Role of a command: the name of a step, `aside` for a command with effects that is not a step, or `look` for a command
 * without effects.
 */
type StepName = string;

export const ASIDE = "aside";
export const LOOK = "look";

const STAGE = /(?:^|[^a-z])(?:staging|stage|stg|preview|uat|pre-?prod)(?![a-z])/i;
const PROD = /(?:^|[^a-z])(?:prod|production|live)(?![a-z])/i;
const DEPLOY = /(?:^|[^a-z])(?:deploy|deployment|ship|rollout)(?![a-z])/i;
const HEALTH = /(?:health|ready|readiness|liveness|status|ping|version|smoke)z?(?:[/?#]|$)/i;
const SCRIPT_FILE = /^(?:\.{1,2}\/|[\w./-]*\/)?([\w.-]+?)\.(?:sh|bash|zsh|py|mjs|cjs|js|ts|mts|rb|pl|ps1)$/;
const INTERPRETERS = /^(?:bash|sh|zsh|python[\d.]*|node|bun|deno|tsx|ts-node|ruby|perl|php)$/;
const VERB = /^[a-z][a-z:-]{1,18}$/;
const MAX_NAME_LENGTH = 24;

/** Step of a simple command, by rules for common tools. For other tools, program and subcommand. */
export function readStep(words: readonly string[]): StepName {
  const [first = "", ...rest] = words;
  const program = first.split("/").at(-1) ?? "";
  if (!/^[\w.@+-]+$/.test(program) || /^[\d.-]/.test(program)) return LOOK;
  if (LOOKS.has(program) || rest.some((word) => /^--(?:help|version|dry-run)$/.test(word))) return LOOK;
  if (/\.\w{1,5}$/.test(program) && !SCRIPT_FILE.test(first)) return LOOK;
  if (program === "sed" || program === "perl") return rest.some((word) => /^-\w*i/.test(word)) ? ASIDE : LOOK;
  if (ASIDES.has(program)) return ASIDE;
  const operands = rest.filter((word) => !word.startsWith("-"));
  return (
    byDeployer(program, operands, words) ??
    bySpecial(program, rest, operands) ??
    byRunner(program, rest, operands) ??
    PROGRAMS.get(program) ??
    bySubcommand(program, operands) ??
    byScript(first, operands, words) ??
    byVerb(program, operands)
  );
}

/** `stage`, `prod`, or `deploy` if the target is unknown. */
function targetOf(words: readonly string[]): StepName {
  const text = words.join(" ");
  if (STAGE.test(text)) return "stage";
  return PROD.test(text) ? "prod" : "deploy";
}

function byDeployer(program: string, operands: readonly string[], words: readonly string[]): StepName | undefined {
  const verbs = Object.hasOwn(DEPLOYERS, program) ? DEPLOYERS[program] : undefined;
  if (verbs === undefined) return undefined;
  if (program === "kubectl" && operands[0] === "rollout" && operands[1] !== "restart") {
    return operands[1] === "undo" ? "rollback" : "verify";
  }
  const isAlone = program === "ansible-playbook" || (program === "vercel" && operands.length === 0);
  if (isAlone || operands.some((word) => verbs.has(word))) return targetOf(words);
  return SUBCOMMANDS[program] === undefined ? (operands.includes("login") ? ASIDE : LOOK) : undefined;
}

/** Step of a tool whose subcommands need special handling. */
function bySpecial(program: string, rest: readonly string[], operands: readonly string[]): StepName | undefined {
  const [verb = "", object = ""] = operands;
  switch (program) {
    case "git":
      return gitStep(rest);
    case "gh":
    case "glab":
      return forgeStep(verb, object, rest);
    case "curl":
    case "wget":
    case "http":
      return operands.some((word) => HEALTH.test(word)) ? "verify" : LOOK;
    case "docker-compose":
      return SUBCOMMANDS.docker?.get(verb) ?? LOOK;
    case "docker":
      return verb === "compose" ? (SUBCOMMANDS.docker?.get(object) ?? LOOK) : undefined;
    case "rails":
      return /migrate/.test(verb) ? "migrate" : /^t(?:est)?$/.test(verb) ? "test" : undefined;
    default:
      return undefined;
  }
}

/** Step of a git command. Flags before the subcommand, such as `-C folder`, are skipped. */
function gitStep(rest: readonly string[]): StepName {
  let at = 0;
  while (/^-/.test(rest[at] ?? "")) at += /^-[Cc]$/.test(rest[at] ?? "") ? 2 : 1;
  const [verb = "", ...after] = rest.slice(at);
  if ((verb === "checkout" || verb === "switch") && after.some((word) => /^-[bBcC]$|^--create$/.test(word))) {
    return "branch";
  }
  if (verb === "rebase" || verb === "merge" || verb === "cherry-pick") {
    if (after.some((word) => /^--(?:continue|abort|skip|quit)$/.test(word))) return ASIDE;
  }
  if (verb === "tag" && !after.some((word) => !word.startsWith("-"))) return LOOK;
  if (verb === "stash" && /^(?:list|show)$/.test(after[0] ?? "")) return LOOK;
  return SUBCOMMANDS.git?.get(verb) ?? LOOK;
}

/** `gh pr create`; merge requests are pull requests. */
function forgeStep(noun: string, verb: string, rest: readonly string[]): StepName {
  const known = FORGE_WORDS.get(`${noun === "mr" ? "pr" : noun}.${verb}`);
  if (known !== undefined) return known;
  return noun === "auth" || rest.some((word) => /^(?:POST|PUT|PATCH|DELETE)$/.test(word)) ? ASIDE : LOOK;
}

/** `npm run deploy:staging`, `make test`, `mise run fmt`. */
function byRunner(program: string, rest: readonly string[], operands: readonly string[]): StepName | undefined {
  if (!SCRIPT_RUNNERS.has(program)) return undefined;
  const [verb, ...after] = /^(?:run|run-script|r|affected)$/.test(operands[0] ?? "") ? operands.slice(1) : operands;
  if (verb === undefined)
    return /^(?:npm|mise|nx|turbo)$/.test(program) ? LOOK : program === "make" ? "build" : "install";
  const isNamed = operands[0] !== verb;
  const known = isNamed ? undefined : RUNNER_WORDS.get(verb);
  if (known !== undefined) return known;
  if (program === "bun" && SCRIPT_FILE.test(verb)) return byScript(verb, after, [program, ...rest]);
  return scriptStep(verb.split(":").length > 1 && program === "nx" ? verb.split(":").slice(1).join(":") : verb, rest);
}

/** Step of a script by its name: `deploy:staging`, `test:unit`. An unknown name is the step itself. */
function scriptStep(name: string, words: readonly string[]): StepName {
  if (DEPLOY.test(name)) return targetOf([name, ...words]);
  const parts = name.toLowerCase().split(/[^a-z0-9]+/);
  for (const [word, step] of SCRIPT_WORDS) if (parts.includes(word)) return step;
  if (STAGE.test(name)) return "stage";
  return PROD.test(name) ? "prod" : nameOf(name);
}

function bySubcommand(program: string, operands: readonly string[]): StepName | undefined {
  const steps = Object.hasOwn(SUBCOMMANDS, program) ? SUBCOMMANDS[program] : undefined;
  if (steps === undefined) return undefined;
  return operands.map((word) => steps.get(word)).find((step) => step !== undefined) ?? LOOK;
}

/** `./scripts/deploy.sh staging`, `python manage.py migrate`. */
function byScript(first: string, operands: readonly string[], words: readonly string[]): StepName | undefined {
  const isInterpreter = INTERPRETERS.test(first.split("/").at(-1) ?? "");
  const [file = "", ...after] = isInterpreter ? operands : [first, ...operands];
  const script = SCRIPT_FILE.exec(file)?.[1];
  // Inline code for an interpreter is not reusable.
  if (script === undefined || (isInterpreter && words.includes("-n"))) return isInterpreter ? LOOK : undefined;
  if (script === "manage") return scriptStep(after[0] ?? script, words);
  return scriptStep(script, words);
}

function byVerb(program: string, operands: readonly string[]): StepName {
  const [verb = ""] = operands;
  if (verb === "help" || verb === "version" || verb === "login" || verb === "list" || verb === "show") return LOOK;
  const script = scriptStep(program, operands);
  if (script !== nameOf(program)) return script;
  return nameOf(VERB.test(verb) ? `${program}-${verb}` : program);
}

function nameOf(name: string): StepName {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, MAX_NAME_LENGTH).replace(/(?<!-)-+$/, "") || LOOK;
}
