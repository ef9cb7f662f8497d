import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Figures in the form of the other benchmarks: a name, a value, a unit, an aim and whether it is met. */
export class Report {
  constructor(name, about) {
    this.name = name;
    this.about = about;
    this.results = [];
  }

  /** `aim` is `{ atMost }` or `{ atLeast }`; `base` is the same thing measured where there is nothing to do. */
  add(name, value, unit, { aim, base } = {}) {
    const limit = aim?.atMost ?? aim?.atLeast;
    const row = { name, value, unit, aim: null, met: null };
    if (limit !== undefined) {
      row.aim = aim.atMost === undefined ? `>= ${limit}` : `<= ${limit}`;
      row.met = aim.atMost === undefined ? value >= limit : value <= limit;
    }
    if (base !== undefined) {
      row.base = base;
      row.ratio = value / base;
    }
    this.results.push(row);
  }

  /** What could not be measured is said, and counts as an aim that is not met. */
  miss(name, unit, why, { aim } = {}) {
    this.results.push({ name, value: null, unit, aim: aim ?? null, met: aim ? false : null, why });
  }

  write(file) {
    mkdirSync(dirname(file), { recursive: true });
    const { name, about, results } = this;
    writeFileSync(file, `${JSON.stringify({ name, about, results }, null, 2)}\n`);
  }
}
