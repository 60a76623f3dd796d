/**
 * Prices for people.
 *
 * @module
 */

/** An amount with its currency, or "Free". */
export function priceText({ currency, amount }: { currency: string; amount: number }): string {
  if (amount === 0) return "Free";
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}

const LANGUAGE_NAMES: Record<string, string> = {
  python: "Python",
  javascript: "JavaScript",
  typescript: "TypeScript",
  go: "Go",
  rust: "Rust",
};

export function languageName(lang: string): string {
  return LANGUAGE_NAMES[lang] ?? lang;
}
