/**
 * Pages that belong together, as a row of links.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";

/** Paths and labels in order. */
export type TabList = readonly (readonly [path: string, label: string, count?: number])[];

/** The row; `current` is the path of the present page. */
export function Tabs(
  { links, label, tabs, current }: {
    links: Links;
    label: string;
    tabs: TabList;
    current: string;
  },
) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(([path, text, count]) => (
          <li>
            <a href={links.path(path)} aria-current={path === current ? "page" : undefined}>
              {text}
              {count === undefined ? null : <span class="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
