/** Statements and expressions that give names values. */
export const BINDINGS = [
  "assignment",
  "augmented_assignment",
  "for_statement",
  "for_in_clause",
  "named_expression",
  "as_pattern",
] as const;
