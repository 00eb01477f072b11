/** The lengths of account numbers by country, for those that most accounts are in. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27 },
  ...{ GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IL: 23, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27 },
  ...{ MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24, RS: 22, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TR: 26, UA: 29 },
};
/** How the numbers of cards begin: Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro. */
const CARD_PREFIX =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|5|4[4-9])|3(?:0[0-5]|[689])|35(?:2[89]|[3-8])|62|5[068]|6[37])/;

/** True if digits are the number of a payment card: known beginning, known length, and Luhn's check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || !CARD_PREFIX.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** True if text is an international account number: known country and length, and a remainder of 1 modulo 97. */
export function isIban(text: string): boolean {
  const plain = text.replace(/\s/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(plain) || IBAN_LENGTHS[plain.slice(0, 2)] !== plain.length) return false;
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
