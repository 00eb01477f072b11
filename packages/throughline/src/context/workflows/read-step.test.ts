import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStep } from "./read-step.ts";
import { simpleCommands } from "./run-recorder.ts";

const stepsOf = (script: string) => simpleCommands(script).map(({ words }) => readStep(words));

describe("a step", () => {
  const cases: [script: string, ...steps: string[]][] = [
    ["pnpm test --coverage", "test"],
    ["npm run test:unit -- --watch=false", "test"],
    ["go test ./... -run TestX", "test"],
    ["python -m pytest -q", "test"],
    ["npx --yes vitest run", "test"],
    ["uv run pytest", "test"],
    ["CI=1 yarn lint --fix", "lint"],
    ["golangci-lint run", "lint"],
    ["mise run fmt", "format"],
    ["cargo clippy", "lint"],
    ["tsc --noEmit", "typecheck"],
    ["docker build -t app:abc .", "build"],
    ["docker compose build web", "build"],
    ["make", "build"],
    ["make release", "release"],
    ["./scripts/deploy.sh staging", "stage"],
    ["bash scripts/deploy.sh production", "prod"],
    ["npm run deploy:prod", "prod"],
    ["kubectl apply -f k8s/ -n staging", "stage"],
    ["kubectl rollout status deploy/app", "verify"],
    ["vercel --prod", "prod"],
    ["terraform apply -auto-approve", "deploy"],
    ["terraform plan", "plan"],
    ["curl -fsS https://staging.example.com/healthz", "verify"],
    ["npm run smoke", "verify"],
    ["git commit -am 'fix: x'", "commit"],
    ["git -C /app push origin main", "push"],
    ["git checkout -b feature/x", "branch"],
    ["gh pr create --fill", "pr"],
    ["glab mr create", "pr"],
    ["gh pr checks", "ci"],
    ["npm publish", "publish"],
    ["npm ci", "install"],
    ["go mod tidy", "install"],
    ["python manage.py migrate", "migrate"],
    ["bd update x-1", "bd-update"],
    ["cd web && pnpm test && pnpm build", "look", "test", "build"],
    ["(cd web && pnpm test)", "look", "test"],
    ["bash -lc 'pnpm test; pnpm build'", "test", "build"],
    ["if true; then make test; fi", "look", "test", "look"],
  ];
  it.each(cases)("%s", (script, ...steps) => {
    expect(stepsOf(script)).toEqual(steps);
  });

  const looks = [
    "ls -la",
    "cat a.txt | head -3",
    "git status",
    "git log --oneline",
    "gh pr view 3",
    "rg foo src",
    "echo done",
  ];
  it.each([
    ...looks,
    "go test --help",
    "sed -n 1,20p a.ts",
    "python -c 'print(1)'",
    "curl https://example.com/data.json",
  ])("is nothing that only looks: %s", (script) => {
    expect(new Set(stepsOf(script))).toEqual(new Set(["look"]));
  });

  it.each(["rm -rf node_modules", "git stash", "sed -i s/a/b/ a.ts", "docker system prune -f", "export A=1"])(
    "is not an auxiliary command: %s",
    (script) => {
      expect(stepsOf(script)).toEqual(["aside"]);
    },
  );

  it("is read from any script (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (script) => {
        for (const step of stepsOf(script)) expect(step).toMatch(/^[a-z0-9][a-z0-9-]{0,23}$/);
      }),
    );
  });
});
