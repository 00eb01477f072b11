import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Collects axe violations in several states of a page. */
export class AxeLooks {
  readonly violations: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Checks the current state of the page. */
  async at(state: string): Promise<void> {
    const page = this.#page;
    if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
    const { violations, passes } = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
      return axe.run({ resultTypes: ["violations"], preload: false });
    });
    if (passes.length === 0) this.violations.push(`${state}: nothing was looked at`);
    for (const { id, help, nodes } of violations) {
      const where = nodes.map(({ target, failureSummary = "" }) => `${target.join(" ")}: ${failureSummary}`);
      this.violations.push(`${state}: ${id}, ${help} at ${where.join(" and ")}`);
    }
  }
}
