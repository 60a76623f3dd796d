/**
 * Source code with line numbers.
 *
 * @module
 */
import type { Line } from "./excerpt.ts";

/** Address of a line of a scanned file. */
export function sourcePath(server: string, file: string, line: number | null): string {
  const path = file.split("/").map(encodeURIComponent).join("/");
  return `/servers/${server}/source/${path}${line === null ? "" : `?line=${line}#L${line}`}`;
}

/** Source with line numbers; marked lines stand out. */
export function Code({ lines, label, anchors = false }: {
  lines: readonly Line[];
  label: string;
  /** Whether links lead to single lines. */
  anchors?: boolean;
}) {
  return (
    <figure class="code" aria-label={label} tabindex={0}>
      <table>
        <tbody>
          {lines.map(({ number, text, marked }) => (
            <tr class={marked ? "marked" : undefined} id={anchors ? `L${number}` : undefined}>
              <td class="number">{number}</td>
              <td>
                <code>
                  <bdi>{text === "" ? "\u00a0" : text}</bdi>
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
