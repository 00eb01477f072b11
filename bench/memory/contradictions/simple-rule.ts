const DENIAL = /\b(?:no|not|nobody|none|never|nothing|without|neither|nor|cannot)\b|n['’]t\b/i;
const NUMBER = /\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten)\b/gi;
const SHARED = 0.5;

/** What takes ten lines: one of two texts denies or has another number, and they share half of their words. */
export function simpleRule(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  if (shared < SHARED * Math.min(left.size, right.size)) return false;
  const [mine, yours] = [numbersOf(a), numbersOf(b)];
  return DENIAL.test(a) !== DENIAL.test(b) || (mine !== "" && yours !== "" && mine !== yours);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
}

function numbersOf(text: string): string {
  return (text.toLowerCase().match(NUMBER) ?? []).sort().join();
}
