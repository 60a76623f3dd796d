/**
 * The form of a tool's arguments.
 *
 * @module
 */
import { controlName, countName, ITEMS_MAX } from "./arguments.ts";
import { itemField, type Schema, type SchemaField } from "./schema.ts";

/** What the form is made with. */
export interface FormView {
  /** What was sent before, if it is shown again. */
  sent: URLSearchParams | null;
  faults: ReadonlyMap<string, string>;
  root: Schema;
}

interface FieldProps {
  field: SchemaField;
  view: FormView;
  depth: number;
}

/** An id for a path. */
function idOf(path: string): string {
  return `arg-${
    path.slice(1).replaceAll(/[^\w-]/g, (one) => `.${one.codePointAt(0)!.toString(16)}`)
  }`;
}

/** What a control shows. */
function shown(field: SchemaField & { initial: string }, { sent }: FormView): string {
  return sent?.get(controlName(field.path)) ?? field.initial;
}

function Described({ field, fault }: { field: SchemaField; fault: string | undefined }) {
  const id = idOf(field.path);
  const because = field.kind === "json" ? `As JSON, because ${field.because}` : null;
  const text = [field.description, because].filter((part) => part !== null).join(" · ");
  return (
    <>
      {text === "" ? null : (
        <p class="hint pre" id={`${id}-hint`}>
          <bdi>{text}</bdi>
        </p>
      )}
      {fault === undefined ? null : <p class="fault" id={`${id}-fault`}>{fault}</p>}
    </>
  );
}

function Label({ field }: { field: SchemaField }) {
  return (
    <label for={idOf(field.path)}>
      <bdi>{field.label}</bdi>
      {field.required ? null : <span class="optional">&nbsp;(optional)</span>}
    </label>
  );
}

function Control({ field, view }: FieldProps) {
  const fault = view.faults.get(field.path);
  const id = idOf(field.path);
  const hasHint = field.description !== null || field.kind === "json";
  const described = [hasHint ? `${id}-hint` : "", fault ? `${id}-fault` : ""]
    .filter((part) => part !== "").join(" ");
  const common = {
    id,
    name: controlName(field.path),
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": fault === undefined ? undefined : "true" as const,
  };
  switch (field.kind) {
    case "text":
      return field.lines === 1
        ? <input type="text" {...field.attributes} {...common} value={shown(field, view)} />
        : (
          <textarea rows={field.lines} {...field.attributes} {...common}>
            {shown(field, view)}
          </textarea>
        );
    case "number":
      return (
        <input
          type="number"
          step={field.integer ? "1" : "any"}
          {...field.attributes}
          {...common}
          required={field.required}
          value={shown(field, view)}
        />
      );
    case "json":
      return (
        <textarea rows={4} class="mono" spellcheck={false} {...common}>
          {shown(field, view)}
        </textarea>
      );
    case "boolean":
    case "choice": {
      const options = field.kind === "boolean"
        ? [["true", "true"], ["false", "false"]] as const
        : field.options.map(({ label }, index) => [String(index), label] as const);
      const value = shown(field, view);
      return (
        <select {...common} required={field.required}>
          <option value="" selected={value === ""}>
            {field.required ? "Choose" : "Not given"}
          </option>
          {options.map(([option, label]) => (
            <option value={option} selected={option === value}>{label}</option>
          ))}
        </select>
      );
    }
    default:
      return null;
  }
}

function List({ field, view, depth }: FieldProps & { field: SchemaField & { kind: "list" } }) {
  const sent = view.sent?.get(countName(field.path));
  const asked = sent === null || sent === undefined ? field.count : Number(sent);
  const count = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 0), ITEMS_MAX) : 0;
  return (
    <fieldset class="nested">
      <legend>
        <bdi>{field.label}</bdi>
        <span class="optional">&nbsp;(list{field.required ? "" : ", optional"})</span>
      </legend>
      <Described field={field} fault={view.faults.get(field.path)} />
      <input type="hidden" name={countName(field.path)} value={String(count)} />
      {Array.from({ length: count }, (_, index) => (
        <FieldView
          field={itemField(field, index, view.root, depth)}
          view={view}
          depth={depth + 1}
        />
      ))}
      {count >= ITEMS_MAX
        ? null
        : (
          <button type="submit" name="add" value={field.path} class="secondary" formnovalidate>
            Add to {field.label}
          </button>
        )}
    </fieldset>
  );
}

function FieldView({ field, view, depth }: FieldProps) {
  if (field.kind === "list") return <List field={field} view={view} depth={depth} />;
  if (field.kind === "object") {
    return (
      <fieldset class="nested">
        <legend>
          <bdi>{field.label}</bdi>
          {field.required ? null : <span class="optional">&nbsp;(optional)</span>}
        </legend>
        <Described field={field} fault={view.faults.get(field.path)} />
        {field.fields.map((member) => <FieldView field={member} view={view} depth={depth + 1} />)}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <Label field={field} />
      <Control field={field} view={view} depth={depth} />
      <Described field={field} fault={view.faults.get(field.path)} />
    </div>
  );
}

/** The controls for a tool's arguments. */
export function ArgumentControls({ field, view }: { field: SchemaField; view: FormView }) {
  if (field.kind !== "object") return <FieldView field={field} view={view} depth={0} />;
  if (field.fields.length === 0) return <p class="quiet">This tool takes no arguments.</p>;
  return (
    <>
      {field.fields.map((member) => <FieldView field={member} view={view} depth={1} />)}
    </>
  );
}
