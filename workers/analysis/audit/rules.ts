/**
 * Every rule of Berth's own that stage 5 has.
 *
 * @module
 */
import { DATA_RULES } from "./data_files.ts";
import { WRITTEN_RULES } from "./flow/files/said.ts";
import { FLOW_RULES } from "./flow/flow_rules.ts";
import { KEY_RULES } from "./keys/judge_keys.ts";
import { JAVASCRIPT_FLOW_RULES } from "./javascript_flow.ts";
import { ANNOTATION_RULES } from "./mcp/effects.ts";
import { HOST_RULES } from "./mcp/hosts.ts";
import { TOOL_RULES } from "./mcp/mod.ts";
import { TEXT_RULES } from "./mcp/results.ts";
import { TOXIC_RULES } from "./mcp/toxic.ts";
import { NOT_TEXT } from "./mod.ts";
import { OPEN_RULES } from "./openly/kinds.ts";
import { SENT_RULES } from "./openly/sent_arguments.ts";
import { ASSEMBLED_RULES } from "./python/assembled_keys.ts";
import { CALL_RULES } from "./python/calls.ts";
import { COST_RULES } from "./python/costs.ts";
import { DATABASE_PROGRAM_RULES } from "./python/database_programs.ts";
import { WATCHING_RULES } from "./python/watching.ts";
import { DESTROY_RULES } from "./python/destroys.ts";
import { ESCAPE_RULES } from "./python/escapes.ts";
import { REDIRECT_RULES } from "./python/redirected.ts";
import { EVALUATED_RULES } from "./python/evaluated.ts";
import { FETCHED_RULES } from "./python/fetched.ts";
import { HIDDEN_RULES } from "./python/hidden.ts";
import { MALICE_RULES } from "./python/malice.ts";
import { MODULE_VALUE_RULES } from "./modules/module_values.ts";
import { PATTERN_RULES } from "./python/patterns.ts";
import { SQL_RULES } from "./python/sql.ts";
import { STRING_RULES } from "./python/strings.ts";
import { UNSCANNED_RULES } from "./python/unscanned.ts";
import type { Rule } from "./rule.ts";
import { TEMPLATE_RULES } from "./templates/templates.ts";

/** The rules; where several modules share one, it is there once for each. */
export const AUDIT_RULES: readonly Rule[] = [
  ...FLOW_RULES,
  ...WRITTEN_RULES,
  ...KEY_RULES,
  ...ASSEMBLED_RULES,
  ...CALL_RULES,
  ...PATTERN_RULES,
  ...STRING_RULES,
  ...HIDDEN_RULES,
  ...MODULE_VALUE_RULES,
  ...ESCAPE_RULES,
  ...MALICE_RULES,
  ...DATABASE_PROGRAM_RULES,
  ...WATCHING_RULES,
  ...REDIRECT_RULES,
  ...OPEN_RULES,
  ...SENT_RULES,
  ...DESTROY_RULES,
  ...COST_RULES,
  ...FETCHED_RULES,
  ...SQL_RULES,
  ...UNSCANNED_RULES,
  ...TEMPLATE_RULES,
  ...EVALUATED_RULES,
  ...DATA_RULES,
  ...JAVASCRIPT_FLOW_RULES,
  ...TOOL_RULES,
  ...ANNOTATION_RULES,
  ...HOST_RULES,
  ...TEXT_RULES,
  ...TOXIC_RULES,
  NOT_TEXT,
];
