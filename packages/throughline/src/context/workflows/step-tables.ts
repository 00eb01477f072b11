import { wordSet } from "../../language/word-lists.ts";

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
export const LOOKS: ReadonlySet<string> = wordSet(`
  ls ll cat cd pwd echo printf head tail grep egrep rg ag find fd awk wc sort uniq jq yq cut tr diff cmp which type whereis
  man env printenv date whoami id ps top df du free uname hostname tree stat file less more xxd od base64 true false test
  sleep wait read history alias ping dig nslookup column nl bat tac rev seq yes basename dirname realpath readlink strings
  md5sum shasum sha256sum tmux screen for case esac done fi in function return exit clear open lsof nproc uuidgen claude
  codex gemini opencode set declare local trap break continue md5 pgrep osascript defaults sqlite3 psql mysql`);

/** Programs with effects that are not steps of a workflow. They can be part of a fix. */
export const ASIDES: ReadonlySet<string> = wordSet(`
  rm rmdir mkdir cp mv touch chmod chown ln kill pkill killall export source unset pushd popd tee tar unzip zip gunzip gzip
  systemctl service brew apt apt-get dnf apk nvm asdf ssh scp rsync launchctl sudo xargs`);

/** Steps by program, for programs with one purpose. */
export const PROGRAMS = namesOf(`
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
export const SCRIPT_WORDS = namesOf(`
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
export const SUBCOMMANDS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
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
export const SCRIPT_RUNNERS: ReadonlySet<string> = wordSet(
  "npm pnpm yarn bun make just task rake mage mise gradle gradlew nx turbo lerna invoke",
);
/** Steps by subcommands of package managers that are not script names. */
export const RUNNER_WORDS = namesOf(`
  install: install i ci add update upgrade up remove
  publish: publish
  version: version
  test: t
  look: view ls list outdated info why help config pack root bin whoami ping trust doctor which current
  aside: link unlink dedupe prune cache login logout use exec-env`);

/** Steps by subcommands of forge tools, such as `gh pr create`. */
export const FORGE_WORDS = namesOf(`
  pr: pr.create
  merge: pr.merge
  ci: pr.checks run.watch workflow.run ci.watch
  release: release.create
  issue: issue.create
  aside: pr.comment pr.review pr.edit pr.ready pr.close run.rerun issue.close issue.comment issue.edit`);

/** Programs and words for deployments. */
export const DEPLOYERS: Readonly<Record<string, ReadonlySet<string>>> = {
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
