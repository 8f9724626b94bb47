import { type NamedCase, outcomeOf } from './case.ts'

/** The page `docs/conformance.md`: the score, the cases by kind, what is refused, and what comes out otherwise. */
export function conformancePage(cases: readonly NamedCase[]): string {
  const of = (outcome: string): readonly NamedCase[] =>
    cases.filter((one) => outcomeOf(one) === outcome)
  const kinds = [...new Set(cases.flatMap((one) => one.kinds))].sort()
  const documents = kinds.filter((kind) => kind !== 'methods')
  const rows = kinds.map((kind) => {
    const own = cases.filter((one) => one.kinds.includes(kind)).map(outcomeOf)
    const counts = OUTCOMES.map((outcome) => own.filter((one) => one === outcome).length)
    return `| ${kind} | ${own.length} | ${counts.join(' | ')} |`
  })
  return [
    HEAD,
    `**Of ${cases.length} cases over ${documents.length} kinds of documents ${of('same').length} come out as in ERPNext, ${of('refused').length} are refused by name, ${of('differs').length} come out otherwise.**\n`,
    '| Documents | Cases | As in ERPNext | Refused by name | Otherwise |',
    '|---|---:|---:|---:|---:|',
    ...rows,
    '\nA case that makes several kinds of documents counts for each of them.\n',
    '## What comes out otherwise\n',
    '| Case | What | Why |',
    '|---|---|---|',
    ...of('differs').map(({ name, title, differs }) => `| \`${name}\` | ${title} | ${differs} |`),
    '\n## What is refused\n',
    'ERPNext takes these; here they would change the result and mean nothing, so the answer is a 417 that names them.\n',
    '| Case | What | Named |',
    '|---|---|---|',
    ...of('refused').map(({ name, title, steps }) => {
      const named = steps.flatMap(({ refused }) => refused ?? [])
      return `| \`${name}\` | ${title} | \`${named.join(' ')}\` |`
    }),
    `\n${FOOT}`,
  ].join('\n')
}

const OUTCOMES = ['same', 'refused', 'differs'] as const

const HEAD = `# Conformance with ERPNext

Requests as public clients of ERPNext send them to [the site API](surface-a.md), and the totals and rows of the ledgers
that ERPNext gives for them, worked out by hand. One file a case stands in
[tests/conformance/cases](../tests/conformance/cases); \`npm test\` sends them all to a real server on SQLite,
\`npm run test:deep\` on PostgreSQL too, and this page is made of them (\`SVC_WRITE_PAGES=1 node
tests/conformance/conformance.test.ts\` writes it).
`

const FOOT = `## A case

\`\`\`yaml
title: A fixed discount comes off the net total
post: Sales Invoice
send: {customer: Blue Bikes, docstatus: 1, discount_amount: 10, items: [{item_code: BIKE, qty: 2, rate: 100}]}
gives: {total: 200, net_total: 190, grand_total: 190}
ledger: {Debtors: 190, Sales: -190}
\`\`\`

\`steps:\` holds several requests; \`as: order\` keeps an answer, and \`$order.items.0.name\` is a value of it. \`post\`,
\`put\`, \`get\`, \`run\` and \`call\` say what is asked, \`refused\` what a 417 names. A case with \`differs\` must come out
otherwise than it says: the test fails when it does not any more.
`
