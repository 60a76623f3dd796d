/**
 * Amounts of money as decimal texts: what a provider says, the database adds up and the API shows
 * never passes through binary fractions.
 *
 * @module
 */
import currencies from "currency-codes";

/** Eleven digits before the point and four behind it: what a JSON number carries exactly, too. */
const DECIMAL = /^(?:0|[1-9]\d{0,10})(?:\.\d{1,4})?$/;

/** Decimals of the currency (ISO 4217); null when it is none that is known. */
function decimalsOf(currency: string): number | null {
  return currencies.code(currency)?.digits ?? null;
}

/** A JSON number or text as a plain decimal; null when it is none, negative, too long or too fine. */
export function toDecimal(value: number | string): string | null {
  const text = String(value);
  return DECIMAL.test(text) ? text : null;
}

/** Whether the currency has amounts as fine as `decimal`; a currency that is not known has all. */
export function fitsCurrency(decimal: string, currency: string): boolean {
  const fraction = decimal.split(".")[1] ?? "";
  return fraction.replace(/0+$/, "").length <= (decimalsOf(currency) ?? fraction.length);
}

/** `decimal` with as many decimals as the currency has, more only where it would lose some. */
export function formatAmount(decimal: string, currency: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(decimalsOf(currency) ?? 0, "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}
