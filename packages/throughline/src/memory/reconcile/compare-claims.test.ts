import { describe, expect, it } from "vitest";
import { compareClaims, findContradiction } from "./compare-claims.ts";

const relation = (older: string, newer: string) => compareClaims({ text: older }, { text: newer }).relation;

describe("a stated change supersedes", () => {
  it.each([
    ["We host the wiki on Netlify.", "We moved the wiki from Netlify to Cloudflare."],
    ["We lint with TSLint.", "We no longer lint with TSLint."],
    ["The report is sent by fax.", "The fax was removed, the report goes out by mail."],
    ["The retro is at 14:00.", "The retro is at 15:30 from now on."],
    ["The shop runs on Node 18.", "The shop is on Node 22 now."],
    ["The demo is on March 3.", "The demo was pushed to March 10."],
    ["I drink three teas a day.", "I'm down to one tea a day."],
    ["Wir testen mit Karma.", "Wir testen nicht mehr mit Karma, sondern mit Vitest."],
    ["Das Treffen ist am 3. März um 10:00.", "Das Treffen ist ab sofort um 11:30."],
    ["Trabajo en un banco.", "Dejé el banco, ahora soy profesor."],
    ["Usamos Jenkins para desplegar.", "Ya no usamos Jenkins."],
    ["On déploie avec Jenkins.", "On utilise GitLab au lieu de Jenkins."],
    ["Wir nutzen Jenkins für die Builds.", "Wir nutzen Jenkins nicht mehr."],
    ["On utilise Jenkins pour les builds.", "On n'utilise plus Jenkins."],
    ["Usamos Jenkins para os builds.", "Não usamos mais Jenkins."],
    ["Uso o Trello para tarefas.", "Deixei o Trello."],
    ["我们用 Jenkins 部署。", "我们不再用 Jenkins 部署。"],
    ["デプロイは Jenkins です。", "Jenkins をやめました。"],
    ["Das Planungstreffen ist am Dienstag.", "Das Planungstreffen wurde auf Freitag verschoben."],
    ["La reunión es el martes.", "La reunión se movió al viernes."],
    ["La réunion est mardi.", "La réunion a été reportée à vendredi."],
    ["A reunião é na terça.", "A reunião foi adiada para sexta."],
    ["会议在周二。", "会议改到周五了。"],
    ["会議は火曜日です。", "会議は金曜日に変更になりました。"],
  ])("%s → %s", (older, newer) => {
    expect(relation(older, newer)).toBe("supersedes");
  });
});

describe("a change of something else is unrelated", () => {
  it.each([
    ["My uncle is a farmer.", "My uncle no longer drives."],
    ["I play the flute.", "I stopped playing handball."],
    ["We write unit tests with Jest.", "We switched the browser tests to Playwright."],
    ["The shop is deployed on Render.", "The billing service moved to Fly.io."],
    ["The timeout of the mail server is 10 s.", "The timeout of the print server is now 30 s."],
    ["Kim says the export works.", "I stopped using the export."],
    ["We lint with TSLint.", "Maybe we will stop using TSLint."],
    ["I live in Porto.", "If I lived in Oslo I would ski."],
    ["I like plums.", "I like pears."],
    ["We use ESLint.", "We use Prettier."],
  ])("%s | %s", (older, newer) => {
    expect(relation(older, newer)).toBe("unrelated");
  });
});

describe("a possible conflict", () => {
  it.each([
    ["another number of the same thing", "The search service listens on port 8081.", "search service: port 9090"],
    ["a denial in the same words", "The import checks the header.", "The import does not check the header."],
    ["two sources", "Kim says the leak is in the parser.", "Lee insists the leak is in the cache."],
    ["two sources in German", "Laut Kim ist der Dienst synchron.", "Laut Handbuch ist der Dienst asynchron."],
    ["two tools for one purpose", "We use Redis for caching.", "We use Memcached for caching."],
  ])("is %s", (_, older, newer) => {
    expect(relation(older, newer)).toBe("contradicts");
  });

  it("is none for two statements of one source, or numbers of different subjects", () => {
    expect(relation("Kim says the parser leaks.", "Kim says the parser is slow.")).toBe("unrelated");
    expect(relation("The shop runs on port 8080.", "The blog runs on port 9090.")).toBe("unrelated");
    expect(relation("I have two dogs.", "My sister has three dogs.")).toBe("unrelated");
    expect(relation("Hall 3 has door 21.", "Hall 4 has door 28.")).toBe("unrelated");
    expect(relation("Redis: refused port 6379.", "Postgres: refused port 5432.")).toBe("unrelated");
  });
});

describe("a paraphrase", () => {
  it.each([
    ["Max is seven.", "My son Max is 7 years old."],
    ["I stopped smoking in 2019.", "I haven't smoked since 2019."],
    ["Backups run at 3 a.m.", "The backups run at 03:00."],
    ["We install with bun, not npm.", "Please install with bun, not with npm."],
  ])("is a duplicate: %s = %s", (older, newer) => {
    expect(relation(older, newer)).toBe("duplicate");
  });

  it("is none for another person, another number, or a denial", () => {
    expect(relation("I have two dogs.", "My sister has two dogs.")).not.toBe("duplicate");
    expect(relation("Max is seven.", "Max's brother is seven.")).not.toBe("duplicate");
    expect(relation("The job runs at 3 a.m.", "The job runs at 4 a.m.")).not.toBe("duplicate");
    expect(relation("The export works.", "The export does not work.")).not.toBe("duplicate");
    expect(relation("Rule: never run step-3.", "Rule: never run step-33.")).not.toBe("duplicate");
    expect(relation("Always run linter number3.", "Always run linter number33.")).not.toBe("duplicate");
  });
});

describe("keys", () => {
  const db = (value: string) => ({ text: `We use ${value}.`, key: "db", value });

  it("with a single value supersede, and with several do not", () => {
    expect(compareClaims(db("MySQL"), db("PostgreSQL"))).toMatchObject({ relation: "supersedes", isKeyed: true });
    const likes = (value: string) => ({ text: `Likes ${value}`, key: "likes", value });
    expect(compareClaims(likes("tea"), likes("coffee")).relation).toBe("unrelated");
  });

  it("do not compare claims about different subjects or times", () => {
    expect(findContradiction({ ...db("MySQL"), subject: "shop" }, { ...db("Redis"), subject: "blog" })).toBeUndefined();
    expect(findContradiction({ ...db("MySQL"), validTo: 5 }, { ...db("Redis"), validFrom: 5 })).toBeUndefined();
  });
});
