/**
 * What a server is recognized by: its icon, or a mark that follows from its name.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";

/** Hues that marks have; `site.css` has the same number. */
const HUES = 12;
/** Shapes behind the letters, in a square of 40. */
const SHAPES = [
  "M0 40L40 0V40z",
  "M40 0A40 40 0 0 0 0 40H40z",
  "M0 24H40V40H0z",
  "M20 0H40V40H20z",
  "M0 28Q20 12 40 28V40H0z",
  "M28 -6A18 18 0 1 0 46 12A18 18 0 0 0 28 -6z",
];

/** FNV-1a: the same name has the same mark everywhere. */
function hashOf(name: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619) >>> 0;
  }
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The first letters of the name's first two words, or of its only one. */
function lettersOf(name: string): string {
  const words = name.split("-").filter((word) => word !== "mcp" && word !== "server");
  const [first = name, second] = words;
  return second === undefined ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
}

/** The colours that `site.css` gives marks in light pages. */
const HUE_DEGREES = [5, 28, 48, 75, 115, 150, 175, 197, 222, 255, 285, 325];

/** The mark of a name as an image of its own. */
export function markSvg(name: string): string {
  const hash = hashOf(name);
  const hue = HUE_DEGREES[hash % HUES]!;
  return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">' +
    '<clipPath id="c"><rect width="40" height="40" rx="9"/></clipPath><g clip-path="url(#c)">' +
    `<rect width="40" height="40" fill="hsl(${hue} 50% 90%)"/>` +
    `<path fill="hsl(${hue} 55% 80%)" d="${
      SHAPES[Math.floor(hash / HUES) % SHAPES.length]
    }"/></g>` +
    `<text x="20" y="26" fill="hsl(${hue} 65% 26%)" font-family="sans-serif" font-size="17" ` +
    `font-weight="700" text-anchor="middle">${lettersOf(name)}</text></svg>`;
}

/**
 * The mark of a server, beside its name: those who do not see it miss nothing.
 *
 * @param props.icon Digest of its icon; null where it has none.
 * @param props.size Pixels of its side.
 */
export function ServerMark(
  { name, icon, links, size = 40 }: {
    name: string;
    icon: string | null;
    links: Links;
    size?: number;
  },
) {
  if (icon !== null) {
    return (
      <img
        class="mark"
        src={links.path(`/icons/${icon}`)}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
      />
    );
  }
  const hash = hashOf(name);
  return (
    <svg
      class={`mark hue-${hash % HUES}`}
      viewBox="0 0 40 40"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path d={SHAPES[Math.floor(hash / HUES) % SHAPES.length]} />
      <text x="20" y="26">{lettersOf(name)}</text>
    </svg>
  );
}
