import type { ExplainedRecord, Explanation } from '../engine/documents/explain/explanation.ts'

/** Line of a tree, with what stands below it. */
interface Branch {
  readonly text: string
  readonly below: readonly Branch[]
}

/**
 * An explanation as lines of a tree:
 *
 *     outstanding_amount = 80
 *     │ formula, billing/sales-invoice.yaml:223: rounded_total - paid_amount
 *     ├─ rounded_total = 100
 *     └─ paid_amount = 20
 *        │ …
 */
export function explanationTree(explanation: Explanation): string {
  return drawn(branchOf(explanation, explanation.field), '').join('\n')
}

function branchOf(explanation: Explanation, field: string): Branch {
  const { label, value, how, where, at, inputs, records = [], next_cursor } = explanation
  const place = where && `${where.file}${where.line === null ? '' : `:${where.line}`}`
  const facts = [how, place, at].filter((one) => one !== undefined).join(', ')
  const said = where?.text ? `${facts}: ${where.text.replace(/\s+/g, ' ')}` : facts
  const below: Branch[] = [
    ...inputs.map((input): Branch => {
      if (input.explain) return branchOf(input.explain, input.field)
      return { text: valueLine(input.field, input.label, input.value), below: [] }
    }),
    ...records.map((record) => ({ text: recordLine(record), below: [] })),
    ...(next_cursor === undefined
      ? []
      : [{ text: '… and more (--limit shows up to 100)', below: [] }]),
  ]
  return { text: `${valueLine(field, label, value)}\n${said}`, below }
}

function valueLine(field: string, label: string, value: unknown): string {
  return `${field === '' ? label : field} = ${shown(value)}`
}

function recordLine({ resource, id, title, value }: ExplainedRecord): string {
  if (id === null) return `${title}: ${shown(value)}`
  const name = title === id ? '' : ` (${title})`
  return `${resource}/${id}${name}: ${shown(value)}`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} rows`
  return value === null ? 'unset' : typeof value === 'string' ? value : JSON.stringify(value)
}

function drawn({ text, below }: Branch, indent: string): string[] {
  const [first = '', ...more] = text.split('\n')
  const bar = below.length > 0 ? '│ ' : '  '
  return [
    first,
    ...more.map((line) => `${indent}${bar}${line}`),
    ...below.flatMap((branch, index) => {
      const isLast = index === below.length - 1
      const [head = '', ...rest] = drawn(branch, `${indent}${isLast ? '   ' : '│  '}`)
      return [`${indent}${isLast ? '└─ ' : '├─ '}${head}`, ...rest]
    }),
  ]
}
