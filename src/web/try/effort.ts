/**
 * What is spent on one tool's schema while a page is made. Schemas are strangers': small ones can be
 * made to be read again and again. What is beyond the budget is given as JSON.
 *
 * @module
 */

/** Members that are read or copied, over the whole form. */
const MEMBERS_MAX = 200_000;
/** Characters of texts that count as one member: each is read. */
const MEMBER_CHARACTERS = 40;
/** Members that are left, by the schema itself: each page reads its tools anew. */
const left = new WeakMap<object, number>();

/** Spends `count` members; false when that is more than is left. */
export function spend(root: object, count: number): boolean {
  const rest = (left.get(root) ?? MEMBERS_MAX) - count;
  left.set(root, rest);
  return rest >= 0;
}

/** How many members were spent on `root`. */
export function spentOn(root: object): number {
  return MEMBERS_MAX - (left.get(root) ?? MEMBERS_MAX);
}

/** Whether nothing is left. */
export function isSpent(root: object): boolean {
  return (left.get(root) ?? MEMBERS_MAX) < 0;
}

/** Spends what `value` has inside, however deep; false when that is more than is left. */
export function spendOn(root: object, value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    const characters = typeof one === "string" ? one.length : 0;
    if (!spend(root, 1 + Math.ceil(characters / MEMBER_CHARACTERS))) return false;
    if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) rest.push(member);
    }
  }
  return true;
}
