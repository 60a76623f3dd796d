/**
 * Small parts of pages.
 *
 * @module
 */
import type { Child } from "hono/jsx";

/** Something that went wrong, announced when it appears. */
export function Alert({ children }: { children: Child }) {
  return <div class="alert" role="alert">{children}</div>;
}

/** Something good to know. */
export function Notice({ children }: { children: Child }) {
  return <div class="notice" role="status">{children}</div>;
}

/** What a list shows when there is nothing in it. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** A day, or with `exact` a minute, in UTC. */
export function Time({ at, exact = false }: { at: string | Date; exact?: boolean }) {
  const date = new Date(at);
  const text = exact ? `${TIME.format(date)} UTC` : DATE.format(date);
  return <time datetime={date.toISOString()} title={date.toISOString()}>{text}</time>;
}

/** A piece of text to copy, with a button for those who have scripts. */
export function Copy({ id, text, label }: { id: string; text: string; label: string }) {
  return (
    <div class="copy">
      <pre id={id} tabindex={0} aria-label={label}><code>{text}</code></pre>
      <button type="button" class="secondary" data-copy={id} hidden>
        Copy<span class="visually-hidden">{` ${label}`}</span>
      </button>
    </div>
  );
}

/** Texts that may have commas and full stops of their own. */
export function Codes({ texts }: { texts: readonly string[] }) {
  return (
    <>
      {texts.map((text, index) => (
        <>
          {index === 0 ? null : ", "}
          <code>{text}</code>
        </>
      ))}
    </>
  );
}

/** Text whose direction is its own and which cannot run over what stands around it. */
export function Own({ children }: { children: Child }) {
  return <bdi>{children}</bdi>;
}

/** Head of a column; `hidden` is read aloud only. */
type Column = string | { hidden: string };

/** Head of the column of buttons and links. */
export const ACTIONS: Column = { hidden: "Actions" };

/** A table that scrolls by itself where the page is narrow; its children are the rows. */
export function Table(
  { label, columns, dense = false, stack = false, children }: {
    label: string;
    columns: readonly Column[];
    dense?: boolean;
    /** On phones each row is a list of its cells, named by their `data-label`. */
    stack?: boolean;
    children: Child;
  },
) {
  const kinds = [dense ? "dense" : null, stack ? "stack" : null].filter((kind) => kind !== null);
  return (
    <div class="table-box" role="region" aria-label={`${label} (table)`} tabindex={0}>
      <table class={kinds.join(" ") || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">
                {typeof column === "string"
                  ? column
                  : <span class="visually-hidden">{column.hidden}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
