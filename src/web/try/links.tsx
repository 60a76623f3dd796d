/**
 * Links to everything that a session offers.
 *
 * @module
 */
import type { PageRequest } from "../layout/context.ts";
import type { Offered } from "./offered.ts";

/** What the page shows of a session. */
export interface Target {
  kind: "tool" | "resource" | "prompt";
  /** Name of a tool or prompt, address of a resource. */
  id: string;
}

const LINKS_MAX = 200;
const LABEL_MAX = 80;

interface Group {
  kind: Target["kind"];
  title: string;
  entries: { id: string; label: string }[];
}

function groupsOf({ tools, resources, prompts }: Offered): Group[] {
  const named = ({ name, title }: { name: string; title?: string | undefined }) => ({
    id: name,
    label: title ?? name,
  });
  const groups: Group[] = [
    { kind: "tool", title: "Tools", entries: tools.map(named) },
    {
      kind: "resource",
      title: "Resources",
      entries: resources.map(({ uri, name }) => ({ id: uri, label: name })),
    },
    { kind: "prompt", title: "Prompts", entries: prompts.map(named) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The links in groups; the group's name is shown where there are several. */
export function OfferedLinks(
  { request, base, offered, current }: {
    request: PageRequest;
    base: string;
    offered: Offered;
    current: Target;
  },
) {
  const groups = groupsOf(offered);
  return (
    <div>
      {groups.map(({ kind, title, entries }) => (
        <nav class="tool-links" aria-label={title}>
          {groups.length === 1 ? null : <p class="quiet small">{title}</p>}
          <ul>
            {entries.slice(0, LINKS_MAX).map(({ id, label }) => (
              <li>
                <a
                  href={request.links.path(
                    `${base}?session=1&${kind}=${encodeURIComponent(id)}`,
                  )}
                  aria-current={kind === current.kind && id === current.id ? "page" : undefined}
                >
                  <bdi>{label.slice(0, LABEL_MAX)}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  );
}
