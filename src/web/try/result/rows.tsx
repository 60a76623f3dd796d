/**
 * Lists of objects in results, as tables.
 *
 * @module
 */
import { Table } from "../../layout/parts.tsx";
import { isSchema as isObject } from "../schema.ts";
import { ForeignLink, isAddress } from "./linked.tsx";

/** More is not read in a table; the JSON beside it has all. */
const ROWS_MAX = 100;
const COLUMNS_MAX = 12;
const CELL_MAX = 300;

type Row = Readonly<Record<string, unknown>>;

/** Whether `value` is an object, and no number that stands as its text. */
function isRow(value: unknown): value is Row {
  return isObject(value) && Object.getPrototypeOf(value) !== null && Object.keys(value).length > 0;
}

function asRows(value: unknown): Row[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every(isRow) ? value : null;
}

/** The list of objects that a result is, or that it holds as its only list; null where it has none. */
export function rowsIn(value: unknown): { name: string; rows: Row[] } | null {
  const whole = asRows(value);
  if (whole !== null) return { name: "Result", rows: whole };
  if (!isObject(value)) return null;
  const lists = Object.entries(value).flatMap(([name, member]) => {
    const rows = asRows(member);
    return rows === null ? [] : [{ name: name.slice(0, 80), rows }];
  });
  return lists.length === 1 ? lists[0]! : null;
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= CELL_MAX ? text : `${text.slice(0, CELL_MAX)}…`;
}

function Cell({ value, label }: { value: unknown; label: string }) {
  const text = cellText(value);
  // On phones, an empty cell is left out.
  if (text === "") return <td data-label={label}></td>;
  return (
    <td class="break" data-label={label}>
      {typeof value === "string" && isAddress(value)
        ? <ForeignLink href={value} text={text} />
        : <bdi>{text}</bdi>}
    </td>
  );
}

/** The table; what does not fit is said below it. */
export function Rows({ name, rows }: { name: string; rows: readonly Row[] }) {
  const shown = rows.slice(0, ROWS_MAX);
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  const columns = names.slice(0, COLUMNS_MAX);
  const left = [
    rows.length > shown.length ? `${rows.length - shown.length} more rows` : null,
    names.length > columns.length ? `${names.length - columns.length} more columns` : null,
  ].filter((part) => part !== null);
  return (
    <>
      <Table label={name} columns={columns.map((column) => column.slice(0, 80))} dense stack>
        {shown.map((row) => (
          <tr>
            {columns.map((column) => (
              <Cell
                value={Object.hasOwn(row, column) ? row[column] : undefined}
                label={column.slice(0, 80)}
              />
            ))}
          </tr>
        ))}
      </Table>
      {left.length === 0 ? null : <p class="quiet">and {left.join(", ")}</p>}
    </>
  );
}
