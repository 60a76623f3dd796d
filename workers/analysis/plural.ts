/** `1 finding`, `2 findings`; `many` where the plural has another form. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
