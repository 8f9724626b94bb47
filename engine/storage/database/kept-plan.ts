/** Texts in quotes, which are left as they are, and comparisons of something with a parameter. */
const COMPARED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![<>!])=\s*(\?)/g

const READS = /^\s*(?:select|with)\b/i

/**
 * The text of a statement for SQLite as it keeps its plan. SQLite looks at the value that is bound in `column = ?` where
 * there is something to sort or to join, lest another index were better, and so prepares such a statement anew at each
 * run, which costs ten times what the run does. We have no statistics that it could learn from; a `+` before the
 * parameter makes it an expression, at which it does not look, and changes neither its value nor its type.
 *
 *     keptPlan('select x from t where parent = ? order by idx') → 'select x from t where parent = +? order by idx'
 */
export function keptPlan(text: string): string {
  if (!READS.test(text)) return text
  return text.replace(COMPARED, (part, parameter?: string) => (parameter ? '= +?' : part))
}
