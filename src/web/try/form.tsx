/**
 * The form of a tool's arguments.
 *
 * @module
 */
import { controlName, countName, countOf, kindControl } from "./arguments.ts";
import { chosenField, itemField, type SchemaField } from "./fields.ts";
import type { Schema } from "./schema.ts";
import { kindName } from "./schema_labels.ts";

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

/** Whether to say that a field is optional: of items of a list that goes without saying. */
function isOptional({ path, required }: SchemaField): boolean {
  return !required && !/\/\d+$/.test(path);
}

/** Whether a control must be filled in. An empty text is a text, unless it may not be empty. */
function isNeeded(field: SchemaField): boolean {
  const mayBeEmpty = field.kind === "text" && !("minlength" in field.attributes);
  return field.required && !field.nullable && !mayBeEmpty;
}

/** What a control shows. */
function shown(field: SchemaField & { initial: string }, { sent }: FormView): string {
  return sent?.get(controlName(field.path)) ?? field.initial;
}

/** What is said below a field. */
function hintOf(field: SchemaField): string {
  const because = field.kind === "json" ? `Enter as JSON: ${field.because}` : null;
  return [field.description, field.constraints, because].filter((part) => part !== null)
    .join(" · ");
}

function Described({ field, fault }: { field: SchemaField; fault: string | undefined }) {
  const id = idOf(field.path);
  const text = hintOf(field);
  return (
    <>
      {text === "" ? null : (
        <p class="hint pre" id={`${id}-hint`}>
          <bdi>{text}</bdi>
        </p>
      )}
      {fault === undefined ? null : (
        <p class="fault" id={`${id}-fault`}>
          <bdi>{fault}</bdi>
        </p>
      )}
    </>
  );
}

function Label({ field }: { field: SchemaField }) {
  return (
    <label for={idOf(field.path)}>
      <bdi>{field.label}</bdi>
      {isOptional(field) ? <span class="optional">&nbsp;(optional)</span> : null}
    </label>
  );
}

function Control({ field, view }: FieldProps) {
  const fault = view.faults.get(field.path);
  const id = idOf(field.path);
  const described = [hintOf(field) !== "" ? `${id}-hint` : "", fault ? `${id}-fault` : ""]
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
        ? (
          <input
            type="text"
            {...field.attributes}
            {...common}
            required={isNeeded(field)}
            value={shown(field, view)}
          />
        )
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
          required={isNeeded(field)}
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
        <select {...common} required={isNeeded(field)}>
          <option value="" selected={value === ""}>
            {field.required ? "Choose…" : "Not set"}
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
  const count = countOf(field, view.sent, field.count, view.root);
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
      <div class="actions">
        {count >= field.most
          ? null
          : (
            <button type="submit" name="add" value={field.path} class="secondary" formnovalidate>
              Add to {field.label}
            </button>
          )}
        {count === 0
          ? null
          : (
            <button type="submit" name="drop" value={field.path} class="secondary" formnovalidate>
              Remove last<span class="visually-hidden">{` of ${field.label}`}</span>
            </button>
          )}
      </div>
    </fieldset>
  );
}

function Legend({ field }: { field: SchemaField }) {
  return (
    <legend>
      <bdi>{field.label}</bdi>
      {isOptional(field) ? <span class="optional">&nbsp;(optional)</span> : null}
    </legend>
  );
}

/** First of which kind the value is, then the field of that kind. */
function Union({ field, view, depth }: FieldProps & { field: SchemaField & { kind: "union" } }) {
  const name = kindControl(field.path);
  const chosen = view.sent?.get(name) ?? field.initial;
  const inner = chosenField(field, chosen, view.root, depth);
  const id = `kind-${idOf(field.path)}`;
  const canBeNone = !field.required || field.nullable;
  return (
    <fieldset class="nested">
      <Legend field={field} />
      {inner === null ? <Described field={field} fault={view.faults.get(field.path)} /> : null}
      <div class="kind">
        <label for={id}>
          Type<span class="visually-hidden">{` of ${field.label}`}</span>
        </label>
        <select id={id} name={name} data-kind="">
          {canBeNone ? <option value="">{field.required ? "null" : "Not set"}</option> : null}
          {field.kinds.map((kind, index) => (
            <option value={String(index)} selected={chosen === String(index)}>
              {kindName(kind)}
            </option>
          ))}
        </select>
        <button type="submit" name="kind" value={field.path} class="secondary" formnovalidate>
          Choose<span class="visually-hidden">{` the type of ${field.label}`}</span>
        </button>
      </div>
      {inner === null ? null : <FieldView field={inner} view={view} depth={depth + 1} />}
    </fieldset>
  );
}

function FieldView({ field, view, depth }: FieldProps) {
  if (field.kind === "union") return <Union field={field} view={view} depth={depth} />;
  if (field.kind === "list") return <List field={field} view={view} depth={depth} />;
  if (field.kind === "object") {
    return (
      <fieldset class="nested">
        <Legend field={field} />
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
