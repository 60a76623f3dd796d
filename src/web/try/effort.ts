/**
 * What is spent on one tool's schema while a page is made. Schemas and patterns are strangers': small
 * ones can be made to be looked at again and again. What is beyond is left to the tool.
 *
 * @module
 */
/** Members that are looked at or copied, over the whole form and all checks of it. */
const MEMBERS_MAX = 200_000;
/** Characters of texts that count as one member: each is looked at. */
const MEMBER_CHARACTERS = 40;
/** States of patterns times characters, and what compiling patterns takes. */
const MATCHING_MAX = 500_000;

interface Effort {
  members: number;
  matching: number;
}

/** By the schema itself: each page reads its tools anew. */
const efforts = new WeakMap<object, Effort>();

function effortOn(root: object): Effort {
  const known = efforts.get(root);
  if (known !== undefined) return known;
  const effort = { members: MEMBERS_MAX, matching: MATCHING_MAX };
  efforts.set(root, effort);
  return effort;
}

/** Spends `count` members; false when that is more than is left. */
export function spend(root: object, count: number): boolean {
  const effort = effortOn(root);
  effort.members -= count;
  return effort.members >= 0;
}

/** Whether nothing is left. */
export function isSpent(root: object): boolean {
  return effortOn(root).members < 0;
}

/** Spends a look at `text`, `times` over; false when that is more than is left. */
export function spendText(root: object, text: string, times = 1): boolean {
  return spend(root, Math.ceil(text.length / MEMBER_CHARACTERS) * times);
}

/** Spends what `value` has inside, however deep, `times` over; false when that is more than is left. */
export function spendOn(root: object, value: unknown, times = 1): boolean {
  const rest = [value];
  while (rest.length > 0) {
    if (!spend(root, times)) return false;
    const one = rest.pop();
    if (typeof one === "string" && !spendText(root, one, times)) return false;
    if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) rest.push(member);
    }
  }
  return true;
}

/** Spends `work` of matching; false, and nothing spent, when that is more than is left. */
export function spendMatching(root: object, work: number): boolean {
  const effort = effortOn(root);
  if (work > effort.matching) return false;
  effort.matching -= work;
  return true;
}
