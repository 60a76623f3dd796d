/**
 * The sign of a badge, drawn in the badge's colour.
 *
 * @module
 */

/** @param path What is drawn, in a square of 16. */
export function BadgeSign({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="2.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** What a server is or does, neither good nor bad. */
export interface QuietFact {
  label: string;
  /** The path that is drawn. */
  sign: string;
  /** What it means, in a sentence. */
  hint: string;
}

/** A badge that judges nothing. */
export function QuietSign({ label, sign, hint }: QuietFact) {
  return (
    <span class="verdict quiet" title={hint}>
      <BadgeSign path={sign} />
      {label}
    </span>
  );
}
