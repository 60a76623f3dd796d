/**
 * The most complex functions of a server, as the report lists them.
 *
 * @module
 */
import type { QualityAnalysis } from "../../../scan/schema.ts";
import { Table } from "../../layout/parts.tsx";

/** A table to open; nothing when the report names no function. */
export function ComplexFunctions({ quality }: { quality: QualityAnalysis }) {
  const { highest } = quality.complexity;
  if (highest.length === 0) return null;
  return (
    <details class="more">
      <summary>Most complex functions</summary>
      <Table label="Most complex functions" columns={["Function", "Place", "Complexity"]} dense>
        {highest.map((each) => (
          <tr>
            <td>
              <code>{each.function}</code>
            </td>
            <td class="wrap">{each.file}:{each.line}</td>
            <td>{each.complexity}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
