import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { Resolution } from "../../ports/memory.ts";
import {
  claimOf,
  compareClaims,
  findContradiction,
  isKnownPair,
  openContradiction,
  resolveContradiction,
} from "./contradictions.ts";
import { anyMemory, memoryOf } from "./memory.arbitrary.ts";

const a = memoryOf("a", "We use MySQL.", { key: "db", value: "MySQL", lastSeenAt: 20, mentions: 2 });
const b = memoryOf("b", "We use Postgres.", { key: "db", value: "Postgres", lastSeenAt: 30, supersedes: "older" });
const finding = { reason: "db: one says MySQL, the other Postgres." };
const open = openContradiction("c", a, b, finding, 40);
const now = 50;

describe("a contradiction", () => {
  it("opens with the reason for it", () => {
    expect(open).toEqual({
      id: "c",
      memoryA: "a",
      memoryB: "b",
      detectedAt: 40,
      reason: finding.reason,
      status: "open",
    });
  });

  it("is found in either order, even when resolved", () => {
    const { contradiction } = resolveContradiction(open, [a, b], { resolution: "both_valid", now });
    expect(isKnownPair([contradiction], b, a)).toBe(true);
    expect(isKnownPair([contradiction], a, memoryOf("d", "We use Redis."))).toBe(false);
  });
});

describe("resolveContradiction", () => {
  it("ends the loser's validity now and lets the winner supersede it", () => {
    const { contradiction, changed, added } = resolveContradiction(open, [b, a], {
      resolution: "a_wins",
      note: "We went back.",
      now,
    });
    expect(contradiction).toMatchObject({
      status: "resolved",
      resolution: "a_wins",
      note: "We went back.",
      resolvedAt: 50,
    });
    expect(changed).toEqual([
      { ...a, supersedes: "b" },
      { ...b, validTo: 50, supersededBy: "a" },
    ]);
    expect(added).toEqual([]);
  });

  it("keeps the link of a winner that superseded another memory before", () => {
    const { changed } = resolveContradiction(open, [a, b], { resolution: "b_wins", now });
    expect(changed).toEqual([b, { ...a, validTo: 50, supersededBy: "b" }]);
  });

  it("keeps an earlier end of the loser", () => {
    const ended = { ...a, validTo: 45 };
    const { changed } = resolveContradiction(open, [ended, b], { resolution: "b_wins", now });
    expect(changed[1]?.validTo).toBe(45);
  });

  it("changes no memory if both are valid", () => {
    expect(resolveContradiction(open, [a, b], { resolution: "both_valid", now })).toMatchObject({
      changed: [],
      added: [],
    });
  });

  it("replaces both by one merged memory", () => {
    const { changed, added } = resolveContradiction(open, [a, b], {
      resolution: "merged",
      mergedId: "m",
      mergedText: "We use MySQL for billing and Postgres for search.",
      now,
    });
    expect(changed.map(({ id, validTo, supersededBy }) => [id, validTo, supersededBy])).toEqual([
      ["a", 50, "m"],
      ["b", 50, "m"],
    ]);
    expect(added).toMatchObject([
      { id: "m", key: "db", mentions: 3, validFrom: 50, supersedes: "b", levels: { index: "b" } },
    ]);
    expect(added[0]?.levels.full).toBe("We use MySQL for billing and Postgres for search.");
    expect(added[0]).not.toHaveProperty("value");
  });

  it("joins both texts, the older first, if no text is given", () => {
    const { added } = resolveContradiction(open, [a, b], { resolution: "merged", mergedId: "m", now });
    expect(added[0]?.levels.full).toBe("We use MySQL. We use Postgres.");
  });

  it("keeps a merge with a private memory private", () => {
    const shared = { ...b, scope: "project-shared" as const, owner: "bob", projectId: "p" };
    const { added } = resolveContradiction(open, [a, shared], { resolution: "merged", mergedId: "m", now });
    expect(added[0]).toMatchObject({ scope: "user-private", owner: "ana" });
    expect(added[0]).not.toHaveProperty("projectId");
  });

  it("refuses invalid resolutions", () => {
    const settled = resolveContradiction(open, [a, b], { resolution: "both_valid", now }).contradiction;
    const refused: readonly (() => unknown)[] = [
      () => resolveContradiction(settled, [a, b], { resolution: "a_wins", now }),
      () => resolveContradiction(open, [a], { resolution: "a_wins", now }),
      () => resolveContradiction(open, [a, b], { resolution: "merged", now }),
      () => resolveContradiction(open, [a, b], { resolution: "c_wins" as Resolution, now }),
    ];
    for (const attempt of refused) expect(attempt).toThrow(InvalidOptionError);
  });

  it("loses no memory, and leaves at most one current unless both are valid", () => {
    const resolution = fc.constantFrom<Resolution>("a_wins", "b_wins", "both_valid", "merged");
    fc.assert(
      fc.property(anyMemory("a"), anyMemory("b"), resolution, (first, second, outcome) => {
        const { changed, added } = resolveContradiction(open, [first, second], {
          resolution: outcome,
          mergedId: "m",
          now,
        });
        const after = [first, second].map((memory) => changed.find(({ id }) => id === memory.id) ?? memory);
        expect(after.map(({ levels }) => levels)).toEqual([first.levels, second.levels]);
        for (const { validFrom, validTo = validFrom } of [...after, ...added])
          expect(validTo).toBeGreaterThanOrEqual(validFrom);
        const closed = after.filter(({ supersededBy }) => supersededBy !== undefined);
        expect(closed.length).toBe({ a_wins: 1, b_wins: 1, both_valid: 0, merged: 2 }[outcome]);
        for (const { validFrom, validTo } of closed) expect(validTo).toBeLessThanOrEqual(Math.max(validFrom, now));
      }),
    );
  });

  it.each(["a_wins", "b_wins"] as const)("leaves no overlap in time after %s", (resolution) => {
    expect(findContradiction(claimOf(a), claimOf(b))?.relation).toBe("supersedes");
    const [winner, loser] = resolveContradiction(open, [a, b], { resolution, now }).changed;
    if (winner === undefined || loser === undefined) throw new Error("both change");
    expect(findContradiction({ ...claimOf(winner), validFrom: now }, claimOf(loser))).toBeUndefined();
  });
});

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
