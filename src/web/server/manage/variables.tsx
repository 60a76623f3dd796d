/**
 * The form in which an author declares the variables of a server.
 *
 * @module
 */
import type { FieldError } from "../../../errors.ts";
import { type DeclaredVariable, FORMATS, type Variable } from "../../../keys/variables.ts";
import type { ServerDetail } from "../../../registry/schema.ts";
import { ButtonForm, Field, fieldOf, Form, SelectField, TextField } from "../../layout/forms.tsx";
import { Alert } from "../../layout/parts.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";
import {
  NO_SIGN_IN,
  readSignInRow,
  SignInFields,
  signInOfRow,
  type SignInRow,
  signInRowOf,
} from "./sign_in_fields.tsx";

/** Rows for variables that are not there yet. */
const NEW_ROWS = 1;
const ROWS_MAX = 101;

/** A variable as the form has it. */
type Row =
  & Record<
    "name" | "description" | "default" | "format" | "choices" | "hosts",
    string
  >
  & { required: boolean; secret: boolean; exposed: boolean; oauth: SignInRow };

const EMPTY: Row = {
  name: "",
  description: "",
  default: "",
  format: "text",
  choices: "",
  hosts: "",
  required: false,
  secret: true,
  exposed: false,
  oauth: NO_SIGN_IN,
};

function rowOf(variable: Variable): Row {
  return {
    name: variable.name,
    description: variable.description ?? "",
    default: variable.default ?? "",
    format: variable.format,
    choices: variable.choices.join(", "),
    // What the scan proposes counts when it is saved.
    hosts: [...variable.hosts, ...variable.from === "scan" ? variable.proposed_hosts : []]
      .join(", "),
    required: variable.required,
    secret: variable.secret,
    exposed: variable.exposed,
    oauth: signInRowOf(variable.oauth),
  };
}

/** What was sent, row by row. */
export function readVariableRows(form: URLSearchParams): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < ROWS_MAX && form.has(`${at}-name`); at++) {
    const text = (name: keyof Row) => fieldOf(form, `${at}-${name}`);
    rows.push({
      name: text("name"),
      description: text("description").replaceAll("\r\n", "\n"),
      default: text("default"),
      format: text("format"),
      choices: text("choices"),
      hosts: text("hosts"),
      required: form.has(`${at}-required`),
      secret: form.has(`${at}-secret`),
      exposed: form.has(`${at}-exposed`),
      oauth: readSignInRow(form, at),
    });
  }
  return rows;
}

function listOf(text: string): string[] {
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}

/** The rows as a body of the API. A row without a name is none. */
export function configurationOfRows(rows: readonly Row[]): unknown[] {
  return rows.filter(({ name }) => name !== "").map(declarationOfRow);
}

function declarationOfRow(row: Row): unknown {
  const oauth = signInOfRow(row.oauth);
  return {
    name: row.name,
    required: row.required,
    secret: row.secret,
    ...(row.description === "" ? {} : { description: row.description }),
    ...(row.default === "" ? {} : { default: row.default }),
    ...(row.format === "" || row.format === "text" ? {} : { format: row.format }),
    ...(row.choices === "" ? {} : { choices: listOf(row.choices) }),
    ...(row.hosts === "" ? {} : { hosts: listOf(row.hosts) }),
    ...(row.exposed ? { exposed: true } : {}),
    ...(oauth === null ? {} : { oauth }),
  } satisfies Omit<DeclaredVariable, "format" | "oauth"> & { format?: string; oauth?: unknown };
}

function Check({ at, name, label, row }: {
  at: number;
  name: "required" | "secret" | "exposed";
  label: string;
  row: Row;
}) {
  return (
    <label class="check">
      <input type="checkbox" name={`${at}-${name}`} checked={row[name]} /> {label}
    </label>
  );
}

/** What to say of hosts; the scan may have seen where a secret without any is sent. */
function hostsHint(proposed: readonly string[]): string {
  const said =
    "For secrets: where it may be sent, separated by commas. The code then gets a placeholder";
  return proposed.length === 0 ? said : `${said}. The scan saw it sent to ${proposed.join(", ")}`;
}

function RowFields(
  { at, row, proposed }: { at: number; row: Row; proposed: readonly string[] },
) {
  const text = (name: keyof Row, label: string, hint?: string) => (
    <TextField
      view={{
        name: `${at}-${name}`,
        label,
        value: String(row[name]),
        required: false,
        ...(hint === undefined ? {} : { hint }),
        attributes: { autocomplete: "off", spellcheck: "false" },
      }}
    />
  );
  return (
    <fieldset>
      <legend>{row.name === "" ? "Another variable" : row.name}</legend>
      <div class="field-grid">
        {text("name", "Name")}
        {text("default", "Default")}
        {text("choices", "Choices", "Allowed values, separated by commas")}
        <SelectField
          view={{ name: `${at}-format`, label: "Format", value: row.format }}
          options={FORMATS.map((format) => [format, format])}
        />
      </div>
      {text("description", "Description", "What it is, and where to get it")}
      {text(
        "hosts",
        "Hosts",
        hostsHint(proposed),
      )}
      <Field view={{ name: `${at}-flags`, label: "Kind" }}>
        <div class="checks" id={`${at}-flags`}>
          <Check at={at} name="required" label="Required" row={row} />
          <Check at={at} name="secret" label="Secret" row={row} />
          <Check at={at} name="exposed" label="The code needs the true value" row={row} />
        </div>
      </Field>
      <SignInFields at={at} row={row.oauth} />
    </fieldset>
  );
}

function Faults({ errors, rows }: { errors: readonly FieldError[]; rows: readonly Row[] }) {
  const named = rows.filter(({ name }) => name !== "");
  return (
    <Alert>
      <ul>
        {errors.map(({ path, message }) => {
          const [, index, ...rest] = path.split(".");
          const name = named[Number(index)]?.name ?? "";
          return <li>{[name, ...rest].filter((part) => part !== "").join(" ")} {message}.</li>;
        })}
      </ul>
    </Alert>
  );
}

/** The section of the manage page. */
export function VariablesForm(
  { request, server, sent, errors }: {
    request: UserRequest;
    server: ServerDetail;
    /** What was sent and refused; null for what is stored. */
    sent: Row[] | null;
    errors: readonly FieldError[];
  },
) {
  const rows = sent ?? [...server.variables.map(rowOf), ...Array(NEW_ROWS).fill(EMPTY)];
  const proposals = new Map(server.variables.map((each) => [each.name, each.proposed_hosts]));
  const action = `/servers/${server.name}/manage/variables`;
  return (
    <section aria-labelledby="variables">
      <h2 id="variables">Variables</h2>
      <p class="quiet">
        {server.configuration === null
          ? "The scan found these in the code, with the hosts that it seems to send secrets to. " +
            "Check them, and save them to declare them yourself."
          : "You declared these. What the scan finds does not change them."}{" "}
        A row without a name is removed.
      </p>
      {errors.length === 0 ? null : <Faults errors={errors} rows={rows} />}
      <Form request={request} action={action}>
        {rows.map((row, at) => (
          <RowFields at={at} row={row} proposed={proposals.get(row.name) ?? []} />
        ))}
        <button type="submit">Save variables</button>
      </Form>
      {server.configuration === null ? null : (
        <ButtonForm
          request={request}
          action={action}
          label="Use what the scan finds"
          fields={{ reset: "1" }}
        />
      )}
    </section>
  );
}

export type { Row as VariableRow };
