/**
 * The fields of a record as a form, for publishing and for changing.
 *
 * @module
 */
import type { FieldError } from "../../../errors.ts";
import type { ServerDetail } from "../../../registry/schema.ts";
import { CATEGORIES, CATEGORY_LABELS } from "../../../registry/topics/categories.ts";
import { LANGUAGES } from "../../../scan/schema.ts";
import {
  describedBy,
  Field,
  fieldOf,
  type FieldView,
  SelectField,
  TextField,
} from "../../layout/forms.tsx";
import { languageName } from "../../layout/price.ts";

/** Values of the form, as texts. */
export type RecordForm = Record<
  | "name"
  | "version"
  | "description"
  | "author"
  | "lang"
  | "license"
  | "entrypoint"
  | "repository"
  | "category"
  | "tags"
  | "visibility"
  | "currency"
  | "amount",
  string
>;

/** A form with nothing in it. */
export const EMPTY_FORM: RecordForm = {
  name: "",
  version: "1.0.0",
  description: "",
  author: "",
  lang: "python",
  license: "",
  entrypoint: "",
  repository: "",
  category: "",
  tags: "",
  visibility: "public",
  currency: "USD",
  amount: "0",
};

export function formOfServer(server: ServerDetail): RecordForm {
  return {
    name: server.name,
    version: server.version,
    description: server.description,
    author: server.author,
    lang: server.lang,
    license: server.license,
    entrypoint: server.entrypoint,
    repository: server.repository.url,
    category: server.category,
    tags: server.tags.join(" "),
    visibility: server.visibility,
    currency: server.pricing.currency,
    amount: String(server.pricing.amount),
  };
}

/** What was sent. */
export function readRecordForm(form: URLSearchParams): RecordForm {
  const names = Object.keys(EMPTY_FORM) as (keyof RecordForm)[];
  return Object.fromEntries(names.map((name) => [name, fieldOf(form, name)])) as RecordForm;
}

/** No number for every other spelling of one, which the API then refuses. */
function amountOf(text: string): number {
  return /^[0-9]*(\.[0-9]+)?$/.test(text) ? Number(text) : NaN;
}

/** The tags in a text, however they are set apart; null for none, so that they are proposed. */
function tagsOf(text: string): string[] | null {
  const tags = text.split(/[\s,;]+/).filter((tag) => tag !== "");
  return tags.length === 0 ? null : [...new Set(tags)];
}

/** The form as a body of the API, without the name. */
export function bodyOf(form: RecordForm): Record<string, unknown> {
  const { version, description, author, lang, license, entrypoint, repository } = form;
  return {
    version,
    description: description.replaceAll("\r\n", "\n"),
    ...(author === "" ? {} : { author }),
    lang,
    license,
    entrypoint,
    repository: { type: "git", url: repository },
    category: form.category === "" ? null : form.category,
    tags: tagsOf(form.tags),
    ...(form.visibility === "" ? {} : { visibility: form.visibility }),
    pricing: { currency: form.currency || "USD", amount: amountOf(form.amount) },
  };
}

/** The field of the form that a fault of the API is about. */
function fieldOfPath(path: string): keyof RecordForm | null {
  const [first = "", second = ""] = path.split(".");
  if (first === "pricing") return second === "currency" ? "currency" : "amount";
  return first in EMPTY_FORM ? first as keyof RecordForm : null;
}

export function faultsOf(errors: readonly FieldError[]): Partial<Record<keyof RecordForm, string>> {
  const faults: Partial<Record<keyof RecordForm, string>> = {};
  for (const { path, message } of errors) {
    const field = fieldOfPath(path);
    if (field !== null) faults[field] ??= `${labelOf(field)} ${message}`;
  }
  return faults;
}

const LABELS: Record<keyof RecordForm, string> = {
  name: "Name",
  version: "Version",
  description: "Description",
  author: "Author",
  lang: "Language",
  license: "License",
  entrypoint: "Entrypoint",
  repository: "Repository",
  category: "Category",
  tags: "Tags",
  visibility: "Visibility",
  currency: "Currency",
  amount: "Price",
};

function labelOf(field: keyof RecordForm): string {
  return LABELS[field];
}

const CATEGORY_OPTIONS = [
  ["", "Proposed from the rest"] as const,
  ...CATEGORIES.map((category) => [category, CATEGORY_LABELS[category]] as const),
];

const VISIBILITY_OPTIONS = [
  ["public", "Public: everyone"],
  ["internal", "Internal: every signed-in user"],
  ["private", "Private: owners, and those you name"],
] as const;

type ViewOf = (name: keyof RecordForm, hint: string) => FieldView;

/** Category and tags. */
function TopicFields({ view }: { view: ViewOf }) {
  return (
    <div class="field-grid">
      <SelectField view={view("category", "Where people find it")} options={CATEGORY_OPTIONS} />
      <TextField
        view={{
          ...view("tags", "At most eight, such as weather maps. Empty: proposed from the rest"),
          required: false,
        }}
      />
    </div>
  );
}

export function RecordFields(
  { form, faults, withName, sources = {} }: {
    form: RecordForm;
    faults: Partial<Record<keyof RecordForm, string>>;
    /** Whether the name can be chosen. */
    withName: boolean;
    /** Where a value was found, by field. */
    sources?: Partial<Record<keyof RecordForm, string>>;
  },
) {
  const view = (name: keyof RecordForm, hint?: string, more: Record<string, string> = {}) => ({
    name,
    label: labelOf(name),
    value: form[name],
    ...(sources[name] ?? hint ? { hint: sources[name] ?? hint! } : {}),
    ...(faults[name] === undefined ? {} : { fault: faults[name] }),
    attributes: { autocomplete: "off", ...more },
  });
  const description = view("description", "What the server does, for people and for models");
  return (
    <>
      <div class="field-grid">
        {!withName ? null : (
          <TextField
            view={view("name", "Lowercase words joined by hyphens. Cannot be changed later", {
              maxlength: "64",
            })}
          />
        )}
        <TextField view={view("version", "Semantic version, such as 1.2.0")} />
        <SelectField
          view={view("lang", "Python servers run here. Others are scanned and listed")}
          options={LANGUAGES.map((lang) => [lang, languageName(lang)] as const)}
        />
        <TextField view={view("license", "SPDX identifier, such as MIT")} />
        <TextField view={view("entrypoint", "The file that starts the server")} />
        <TextField
          view={{ ...view("author", "Defaults to your username"), required: false }}
        />
      </div>
      <Field view={description}>
        <textarea
          id="description"
          name="description"
          rows={4}
          maxlength={4096}
          required
          aria-describedby={describedBy(description)}
          aria-invalid={faults.description ? "true" : undefined}
        >
          {form.description}
        </textarea>
      </Field>
      <TextField
        view={{
          ...view(
            "repository",
            "Public, or one that a token of yours may read. Append /tree/<ref>/<folder> to select a branch and folder",
          ),
          type: "url",
        }}
      />
      <TopicFields view={view} />
      <SelectField
        view={view("visibility", "Who can see and run it. Nobody else learns that it exists")}
        options={VISIBILITY_OPTIONS}
      />
      <details class="more" open={form.amount !== "0" || faults.amount !== undefined}>
        <summary>Price</summary>
        <div class="field-grid">
          <TextField view={view("amount", "0 means free", { inputmode: "decimal" })} />
          <TextField view={view("currency", "ISO 4217, such as EUR", { maxlength: "3" })} />
        </div>
      </details>
    </>
  );
}
