/**
 * The verdict as a badge: an image, and what shields.io takes.
 *
 * @module
 */
import type { ScanStatus } from "../../scan/schema.ts";

const MESSAGES: Record<ScanStatus, { text: string; color: string; name: string }> = {
  passed: { text: "scan passed", color: "#17653a", name: "brightgreen" },
  failed: { text: "scan failed", color: "#a31621", name: "red" },
  error: { text: "scan not finished", color: "#7a5200", name: "yellow" },
};

/** What stands on the right of the badge of a scan that ended so, and its colour for CSS. */
export function badgeMessage(status: ScanStatus): { text: string; color: string } {
  return MESSAGES[status];
}

/** For `https://img.shields.io/endpoint?url=…`. */
export function shieldsBadge(status: ScanStatus) {
  const { text, name } = MESSAGES[status];
  return { schemaVersion: 1, label: "Berth", message: text, color: name };
}

/** The image. All of its text is this module's own. */
export function badgeSvg(status: ScanStatus): string {
  const { text, color } = MESSAGES[status];
  const left = 46;
  const right = Math.round(text.length * 6.4 + 16);
  const width = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" ` +
    `aria-label="Berth: ${text}"><title>Berth: ${text}</title>` +
    `<rect width="${width}" height="20" rx="3" fill="#39444d"/>` +
    `<path d="M${left} 0H${width - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${color}"/>` +
    `<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">` +
    `<text x="7" y="14">Berth</text><text x="${left + 8}" y="14">${text}</text></g></svg>`;
}
