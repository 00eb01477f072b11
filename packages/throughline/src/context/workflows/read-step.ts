import { wordSet } from "../../language/words.ts";

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

/** Parses lines such as `test: pytest vitest` to a map from each word to its step. */
function namesOf(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [step = "", words = ""] = line.trim().split(": ");
        return words.split(" ").map((word): [string, string] => [word, step]);
      }),
  );
}

/** Programs without effects, and shell builtins. */
const LOOKS: ReadonlySet<string> = wordSet(`
  ls ll cat cd pwd echo printf head tail grep egrep rg ag find fd awk wc sort uniq jq yq cut tr diff cmp which type whereis
  man env printenv date whoami id ps top df du free uname hostname tree stat file less more xxd od base64 true false test
  sleep wait read history alias ping dig nslookup column nl bat tac rev seq yes basename dirname realpath readlink strings
  md5sum shasum sha256sum tmux screen for case esac done fi in function return exit clear open lsof nproc uuidgen claude
  codex gemini opencode set declare local trap break continue md5 pgrep osascript defaults sqlite3 psql mysql`);

/** Programs with effects that are not steps of a workflow. They can be part of a fix. */
const ASIDES: ReadonlySet<string> = wordSet(`
  rm rmdir mkdir cp mv touch chmod chown ln kill pkill killall export source unset pushd popd tee tar unzip zip gunzip gzip
  systemctl service brew apt apt-get dnf apk nvm asdf ssh scp rsync launchctl sudo xargs`);

/** Steps by program, for programs with one purpose. */
const PROGRAMS = namesOf(`
  test: pytest vitest jest mocha rspec phpunit ctest tox nox ava tap nose2 gotestsum
  e2e: playwright cypress
  typecheck: tsc mypy pyright vue-tsc
  lint: eslint golangci-lint flake8 pylint shellcheck stylelint hadolint rubocop oxlint staticcheck
  format: prettier gofmt goimports black isort rustfmt shfmt clang-format
  build: webpack rollup esbuild tsdown tsup msbuild cmake ninja vite
  migrate: alembic flyway liquibase
  publish: twine
  version: changeset bumpversion
  bench: hyperfine`);

/** Steps by words in script names, the most specific first. */
const SCRIPT_WORDS = namesOf(`
  verify: verify smoke health healthcheck healthz readiness
  e2e: e2e playwright cypress
  rollback: rollback
  migrate: migrate migration migrations
  typecheck: typecheck types tsc mypy
  format: fmt format prettier
  lint: lint eslint vet clippy
  test: test tests spec unit integration coverage
  publish: publish
  release: release
  version: version bump
  seed: seed
  generate: generate codegen gen protoc
  build: build compile bundle package dist
  install: install deps bootstrap
  check: check
  bench: bench benchmark
  clean: clean
  docs: docs
  run: start dev serve run`);

/** Steps by program and subcommand: `go test`. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  go: namesOf(
    "test: test\nbuild: build install\nlint: vet\nformat: fmt\ngenerate: generate\nrun: run\ninstall: get mod\nlook: env version list doc",
  ),
  cargo: namesOf(
    "test: test nextest\nbuild: build\nlint: clippy\nformat: fmt\ntypecheck: check\npublish: publish\nrun: run\ninstall: add update fetch\nbench: bench\nlook: tree metadata search",
  ),
  dotnet: namesOf("test: test\nbuild: build\npublish: publish\nformat: format\nrun: run\ninstall: restore add"),
  deno: namesOf("test: test\nlint: lint\nformat: fmt\ntypecheck: check\nrun: run"),
  mvn: namesOf("test: test verify\nbuild: compile package install\npublish: deploy\nclean: clean"),
  swift: namesOf("test: test\nbuild: build\nrun: run"),
  zig: namesOf("test: test\nbuild: build"),
  mix: namesOf("test: test\nbuild: compile\nformat: format\ninstall: deps.get"),
  ruff: namesOf("lint: check\nformat: format"),
  biome: namesOf("lint: check lint ci\nformat: format"),
  pip: namesOf("install: install\nlook: list show freeze"),
  poetry: namesOf("install: install add update\nbuild: build\npublish: publish\nversion: version"),
  uv: namesOf("install: sync add pip lock\nbuild: build\npublish: publish"),
  bundle: namesOf("install: install update"),
  composer: namesOf("install: install require update"),
  prisma: namesOf("migrate: migrate db\ngenerate: generate"),
  "drizzle-kit": namesOf("migrate: migrate push\ngenerate: generate"),
  docker: namesOf(
    "build: build buildx\npush-image: push\nrun: run up start\naside: prune rm rmi stop system login tag volume network kill\nlook: ps logs images inspect version info exec",
  ),
  git: namesOf(
    "commit: commit\npush: push\npull: pull\nmerge: merge\nrebase: rebase\ntag: tag\ncherry-pick: cherry-pick\nrevert: revert\naside: stash reset clean restore config checkout switch worktree rm mv apply am gc prune init remote add submodule clone",
  ),
  terraform: namesOf("plan: plan\naside: init import state workspace\nlook: show output validate fmt"),
};

/** Programs that run scripts by name. */
const SCRIPT_RUNNERS: ReadonlySet<string> = wordSet(
  "npm pnpm yarn bun make just task rake mage mise gradle gradlew nx turbo lerna invoke",
);
/** Steps by subcommands of package managers that are not script names. */
const RUNNER_WORDS = namesOf(`
  install: install i ci add update upgrade up remove
  publish: publish
  version: version
  test: t
  look: view ls list outdated info why help config pack root bin whoami ping trust doctor which current
  aside: link unlink dedupe prune cache login logout use exec-env`);

/** Steps by subcommands of forge tools, such as `gh pr create`. */
const FORGE_WORDS = namesOf(`
  pr: pr.create
  merge: pr.merge
  ci: pr.checks run.watch workflow.run ci.watch
  release: release.create
  issue: issue.create
  aside: pr.comment pr.review pr.edit pr.ready pr.close run.rerun issue.close issue.comment issue.edit`);

/** Programs and words for deployments. */
const DEPLOYERS: Readonly<Record<string, ReadonlySet<string>>> = {
  kubectl: wordSet("apply set rollout replace patch scale"),
  helm: wordSet("upgrade install"),
  terraform: wordSet("apply"),
  tofu: wordSet("apply"),
  pulumi: wordSet("up"),
  fly: wordSet("deploy"),
  flyctl: wordSet("deploy"),
  vercel: wordSet("deploy promote"),
  netlify: wordSet("deploy"),
  wrangler: wordSet("deploy publish"),
  firebase: wordSet("deploy"),
  serverless: wordSet("deploy"),
  sls: wordSet("deploy"),
  cdk: wordSet("deploy"),
  eb: wordSet("deploy"),
  cap: wordSet("deploy"),
  kamal: wordSet("deploy redeploy"),
  gcloud: wordSet("deploy"),
  aws: wordSet("deploy update-service update-function-code sync"),
  heroku: wordSet("promote container:release"),
  "ansible-playbook": wordSet(""),
};
