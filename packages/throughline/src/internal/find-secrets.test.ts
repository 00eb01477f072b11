import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "./find-secrets.ts";

// Written in two pieces, so that no scanner of repositories takes them for real.
const join = (...pieces: string[]) => pieces.join("");

describe("findSecrets", () => {
  it.each([
    ["api-key", join("sk-", "proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3")],
    ["api-key", join("sk-", "ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7")],
    ["api-key", join("AKIA", "Z3MQ7TLPXW5RBN2C")],
    ["api-key", join("ghp", "_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5")],
    ["api-key", join("glpat", "-aB3dE5fG7hI9jK1lM3nO")],
    ["api-key", join("xoxb", "-123456789012-abcdEFGH5678")],
    ["api-key", join("AIza", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
    ["api-key", join("sk_", "live_4eC39HqLyjWDarjtT1zdp7dc")],
    ["api-key", join("hf_", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x")],
    ["token", join("eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN")],
    ["token", "Authorization: Bearer a1B2c3D4e5F6g7H8i9J0"],
    ["private-key", join("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----")],
    ["password", "DB_PASSWORD=hunter2!secret"],
    ["password", 'const config = { apiKey: "9f8e7d6c5b4a3f2e1d0c" };'],
    ["password", "postgres://admin:s3cr3tPw@db.internal:5432/app"],
    ["password", "my password is Tr0ub4dor&3"],
    ["password", "GITHUB_TOKEN=0123456789abcdef0123456789abcdef01234567"],
    ["password", "export NPM_TOKEN=abcd1234-ef56-7890-abcd-1234567890ef"],
    ["password", "DEPLOY_KEY=k8J2mQ9xL4vB7nR1"],
    ["password", "SESSION_SECRET: 'k8J2mQ9xL4'"],
    ["password", "mysql --user ada --password s3cr3tPw shop"],
    ["password", "deploy --api-key 'k8J2mQ9xL4' --now"],
    ["password", "curl -s -u ada:s3cr3tPw https://db.internal/api"],
    ["password", "curl https://db.internal/api --user 'ada:lettersonly'"],
    ["password", "DB_PASSWORD=yourTr0ub4dor"],
    ["password", "DB_PASSWORD=Summer9!example"],
    ["password", String.raw`{\"password\":\"Hunter2Secret9\"}`],
    ["password", String.raw`"PORT=1\npassword=Hunter2Secret9\nHOST=db"`],
    ["password", '{"password": "Hunter2Sec'],
    ["password", "next_key=2&password=Hunter2Secret9"],
    ["card-number", "my card is 4111 1111 1111 1111, exp 12/30"],
    ["card-number", "378282246310005"],
    ["account-number", "transfer it to DE89 3704 0044 0532 0130 00"],
    ["account-number", "GB29NWBK60161331926819"],
  ])("recognizes a %s: %s", (kind, text) => {
    expect(findSecrets(text).map((secret) => secret.kind)).toEqual([kind]);
  });

  it.each([
    ["a git hash", "fixed in 3f786850e387550fdab836ed7e6dc881de23001b"],
    ["a UUID", "session 550e8400-e29b-41d4-a716-446655440000"],
    ["a digest", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["a placeholder", "OPENAI_API_KEY=your-api-key-here"],
    ["a variable", "password: process.env.DB_PASSWORD"],
    ["another variable", join("TOKEN=$GITHUB_TOKEN and PASSWORD=$", "{PASS}")],
    ["a call", "password = getPassword(user)"],
    ["a name", "const apiKey = settings.apiKey;"],
    ["a type", "interface Login { password: string; token: string }"],
    ["a call for a token", "const token = getToken(); const apiKey = await loadKey9(user);"],
    ["a variable with the same name", "API_KEY=$API_KEY GITHUB_TOKEN=process.env.TOKEN"],
    ["a placeholder in angle brackets", "--api-key <your-key> and NPM_TOKEN=<your-npm-token>"],
    ["placeholder words", "NPM_TOKEN=your-npm-token-1 SECRET=sk-example-secret-key"],
    ["an example of a vendor's docs", join("AWS_ACCESS_KEY_ID=AKIA", "IOSFODNN7EXAMPLE")],
    ["a key that is a name", "CACHE_KEY=node-modules-v12-linux PRIMARY_KEY=customer_id_2 key=item-12345678"],
    ["a token that is a name", 'token: "color-blue-500-hover", token = tokens[index1], token = readToken(user1)'],
    ["a folder", "PWD=/home/ada/shop-2"],
    ["a described option", "Use --password to set it, --token authentication or --secret NAME."],
    ["a user and a group", "docker run --user 1000:1000 -u node:node image"],
    ["variables for curl", 'curl -u "$NAME:$PASS" https://a.test && curl -u user:password https://a.test'],
    ["prose", "My password is wrong, the token is expired and the secret is safe."],
    ["a question", "Where do I put the API key?"],
    ["a number that is no card", "order 4111 1111 1111 1112"],
    ["a time stamp", "1700000000000 and 2024-01-01T00:00:00.000Z"],
    ["a phone number", "+49 170 1234567890"],
    ["an account number with a wrong check", "DE89 3704 0044 0532 0130 01"],
    ["a URL with a port", "http://localhost:5432/app and https://example.org/a:b@c"],
    ["a short word with a vendor's beginning", "sk-learn, hf_hub and npm_config"],
    ["base64 of an image", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"],
  ])("does not treat %s as a secret", (_, text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("returns the position of a secret, and nothing of its text", () => {
    const text = "use DB_PASSWORD=hunter2!secret please";
    const [secret] = findSecrets(text);
    expect(text.slice(secret?.start, secret?.end)).toBe("hunter2!secret");
    expect(JSON.stringify(secret)).not.toContain("hunter2");
  });

  it("returns the whole of a quoted value with escaped quotes", () => {
    const text = String.raw`{"password": "abcd1\"TAILSECRET9", "user": "ada"}`;
    const [secret] = findSecrets(text);
    expect(text.slice(secret?.start, secret?.end)).toBe(String.raw`abcd1\"TAILSECRET9`);
  });

  it("finds each secret once and in order, in any text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), (text) => {
        const spans = findSecrets(text);
        spans.forEach(({ start, end }, i) => {
          expect(start).toBeGreaterThanOrEqual(spans[i - 1]?.end ?? 0);
          expect(end).toBeLessThanOrEqual(text.length);
        });
      }),
    );
  });

  it("finds one that lies across the pieces in which long text is read", () => {
    const key = join("sk-", "proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3");
    const text = `${"word ".repeat(19_998)}${key} ${"word ".repeat(30_000)}`;
    expect(findSecrets(text)).toHaveLength(1);
  });
});
