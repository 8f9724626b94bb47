import type { Random } from '../../helpers/random.ts'

/** What twins link to, three links deep, with a ledger that they post to. */
export const MASTERS = `
doctype: Region
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  rate: {type: percent}
  open: {type: check}
---
doctype: Group
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  discount: {type: percent}
  region: {type: link, options: Region}
---
doctype: Article
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  weight: {type: float}
  stocked: {type: check}
  family: {type: link, options: Group}
---
doctype: Shelf
module: stock
tier: free
naming: "{article}::{store}"
fields:
  article: {type: link, options: Article, required: true}
  store: {type: data, required: true}
  qty: {type: float}
  keeper: {type: link, options: Party}
---
doctype: Tariff
module: sales
tier: free
fields:
  article: {type: link, options: Article, filterable: true}
  since: {type: date}
  rate: {type: currency}
---
doctype: Move
module: stock
tier: free
naming: uuid
ledger: {negate: [worth], copy: []}
fields:
  posting_date: {type: date, filterable: true}
  what: {type: data}
  worth: {type: currency}
`

/** The links of a DocType and what numbers and yes/no its records hold: what paths of expressions are drawn from. */
interface Shape {
  readonly links: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, string>>
  readonly checks: readonly string[]
}

const SHAPES: Readonly<Record<string, Shape>> = {
  Head: { links: { party: 'Party' }, numbers: {}, checks: [] },
  Row: { links: { item: 'Article' }, numbers: {}, checks: [] },
  Party: { links: { group: 'Group' }, numbers: { ceiling: 'currency' }, checks: ['trusted'] },
  Group: { links: { region: 'Region' }, numbers: { discount: 'percent' }, checks: [] },
  Region: { links: {}, numbers: { rate: 'percent' }, checks: ['open'] },
  Article: { links: { family: 'Group' }, numbers: { weight: 'float' }, checks: ['stocked'] },
}

type Part = Readonly<Record<string, unknown>>
type Fields = Record<string, Part>

/** An expression as the twin with the words says it, and as the flat one does. */
interface Said {
  readonly words: string
  readonly flat: string
}

/** A record or row whose expressions are drawn, with the columns that the flat twin needs for them. */
interface Place {
  readonly shape: 'Head' | 'Row'
  /** Finds by name, as they are declared. */
  readonly finds: Record<string, Part>
  readonly columns: Fields
  /** Numbers and yes/no that are there besides: what finds gave. */
  readonly numbers: (() => Said)[]
  readonly checks: (() => Said)[]
}

/** What is drawn for one pair. */
interface Drawing {
  readonly random: Random
  readonly head: Place
  readonly row: Place
}

const placeOf = (shape: Place['shape']): Place => ({
  shape,
  finds: {},
  columns: {},
  numbers: [],
  checks: [],
})

/**
 * When an expression is read: a kept one says what a draft had taken, one at a moment what links say just then, which
 * the flat twin has in columns that follow their links at every write.
 */
type When = 'kept' | 'moment'

/** A path through links to a number or yes/no, which the flat twin keeps step by step. */
function drawPath(
  random: Random,
  place: Place,
  wanted: 'numbers' | 'checks',
  when: When = 'kept',
): Said {
  const prefix = when === 'kept' ? '' : 'now_'
  let [shape, of]: [string, string] = [place.shape, '']
  const steps: string[] = []
  for (;;) {
    const { links, numbers, checks } = SHAPES[shape]!
    const values = wanted === 'numbers' ? Object.keys(numbers) : checks
    const ways = Object.keys(links)
    const goesOn = ways.length > 0 && (values.length === 0 || random.chance(0.55))
    const step = random.one(goesOn ? ways : values)
    steps.push(step)
    const column = steps.length === 1 ? step : prefix + steps.join('_')
    if (steps.length > 1)
      place.columns[column] = {
        ...(goesOn
          ? { type: 'link', options: links[step] }
          : { type: wanted === 'checks' ? 'check' : numbers[step] }),
        internal: true,
        fetch: when === 'kept' ? `${of}.${step}` : { from: `${of}.${step}`, at: 'always' },
      }
    if (!goesOn) return { words: steps.join('.'), flat: column }
    ;[shape, of] = [links[step]!, column]
  }
}

/** A number or yes/no that expressions of a place may say: one of its own, one behind a link, one that a find gives. */
function drawAtom(
  { random, head }: Drawing,
  place: Place,
  wanted: 'numbers' | 'checks',
  when: When,
): Said {
  if (place !== head && random.chance(0.3)) {
    const { words, flat } = drawPath(random, head, wanted)
    return { words: `parent.${words}`, flat: `parent.${flat}` }
  }
  const found = place[wanted]
  return found.length > 0 && random.chance(0.5)
    ? random.one(found)()
    : drawPath(random, place, wanted, when)
}

/** The same text of both, with an expression drawn for each `#` (a number), `~` (a yes/no) and `@` (a number of the row). */
function drawText(drawing: Drawing, place: Place, text: string, when: When = 'kept'): Said {
  const { random, row } = drawing
  const draw: Readonly<Record<string, () => Said>> = {
    '#': () => drawAtom(drawing, place, 'numbers', when),
    '~': () => drawAtom(drawing, place, 'checks', when),
    '@': () => drawPath(random, row, 'numbers', when),
  }
  const parts = text.split(/([#~@])/).map((part) => draw[part]?.() ?? { words: part, flat: part })
  return {
    words: parts.map(({ words }) => words).join(''),
    flat: parts.map(({ flat }) => flat).join(''),
  }
}

/** Adds a find to a place; the flat twin has a look-up for each thing that is read of it. */
function addFind(
  place: Place,
  name: string,
  find: Part,
  numbers: Readonly<Record<string, string>>,
  {
    where,
    link,
  }: {
    /** Condition as the flat twin says it. */
    readonly where?: readonly string[]
    /** A value behind a link of what is found. */
    readonly link?: { readonly field: string; readonly to: string; readonly column: string }
  } = {},
): void {
  place.finds[name] = find
  const { renew, match, ...source } = find
  const byId =
    match && typeof match === 'object'
      ? { match: Object.values(match).join(' + "::" + ') }
      : { match }
  const column = (value: string, type: Part): string => {
    place.columns[`${name}_${value}`] = {
      ...type,
      internal: true,
      no_copy: true,
      lookup: {
        ...source,
        ...(where ? { where } : {}),
        ...(match === undefined ? {} : byId),
        value,
      },
      ...(renew === undefined ? {} : { renew }),
    }
    return `${name}_${value}`
  }
  for (const [value, type] of Object.entries(numbers))
    place.numbers.push(() => ({ words: `${name}.${value}`, flat: column(value, { type }) }))
  place.checks.push(() => ({
    words: `${name}.name != ""`.replaceAll('"', "'"),
    flat: `${column('name', { type: 'data' })} != ''`,
  }))
  if (!link) return
  const { field, to, column: value } = link
  place.numbers.push(() => {
    const on = column(field, { type: 'link', options: to })
    const flat = `${on}_${value}`
    // What is behind a find is taken when that is, by the submit too, which takes no fetch anew.
    const lookup = { from: to, match: on, value, at: find.at }
    place.columns[flat] = {
      type: SHAPES[to]!.numbers[value],
      internal: true,
      no_copy: true,
      lookup,
    }
    return { words: `${name}.${field}.${value}`, flat }
  })
}

function addFinds(drawing: Drawing, doctype: string): void {
  const { random, head, row } = drawing
  if (random.chance(0.7))
    addFind(
      head,
      'last',
      {
        from: doctype,
        where: 'party == this.party && docstatus == 1 && name != this.name',
        latest: 'day',
        at: random.one(['draft', 'submit', 'always']),
      },
      { extra: 'float', total: 'currency' },
    )
  const at = random.one(['create', 'draft', 'submit'])
  const heavier = drawText(drawing, row, random.one(['rate > 5', 'rate + 20 >= this.@']))
  if (random.chance(0.8))
    addFind(
      row,
      'tariff',
      {
        from: 'Tariff',
        where: `article == this.item && since <= parent.day && ${heavier.words}`,
        ...(random.chance(0.8) ? { latest: 'since' } : {}),
        at,
        ...(at === 'create' ? { renew: 'changed(item, parent.day)' } : {}),
      },
      { rate: 'currency' },
      { where: ['article == this.item', 'since <= parent.day', heavier.flat] },
    )
  if (random.chance(0.8))
    addFind(
      row,
      'shelf',
      {
        from: 'Shelf',
        match: random.one([{ article: 'item', store: 'store' }, "item + '::' + store"]),
        at: random.one(['draft', 'always']),
      },
      { qty: 'float' },
      { link: { field: 'keeper', to: 'Party', column: 'ceiling' } },
    )
}

/** A field as both twins have it; `inBlock` is what a block says of it before the DocType's own keys. */
interface Drawn {
  readonly name: string
  readonly words: Part
  readonly flat: Part
}

/** A field whose expressions, the texts with marks, are drawn. */
function drawField(drawing: Drawing, place: Place, name: string, field: Part): Drawn {
  const words: Record<string, unknown> = {}
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(field)) {
    const said = typeof value === 'string' ? drawText(drawing, place, value) : undefined
    words[key] = said ? said.words : value
    flat[key] = said ? said.flat : value
  }
  return { name, words, flat }
}

const NUMBERS = [
  '# + #',
  'extra + # * 2 - #',
  '~ ? # : extra',
  'max(#, #)',
  '~ && ~ ? # - # : # + extra',
]
const NUMBERS_OF_ROWS = ['qty * #', '~ ? qty + # : -qty', 'price - # / 100', 'min(#, qty * #)']

const fieldsOf = (drawn: readonly Drawn[], twin: 'words' | 'flat'): Fields =>
  Object.fromEntries(drawn.map(({ name, ...both }) => [name, both[twin]]))

/** Words of a block as it writes them: a parameter stands where the DocType gives a name. */
function withParameters<T>(parts: T): T {
  const text = JSON.stringify(parts)
  return JSON.parse(
    text.replaceAll(/\bparent\.day\b/g, 'parent.$on').replaceAll(/\bqty \*/g, '$count *'),
  ) as T
}

const written = (doctype: string, parts: Part): string =>
  [
    `doctype: ${doctype}`,
    ...Object.entries(parts).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  ].join('\n')

/** The fields of a block with other formulas in some of them, and those as a later folder says them again. */
function drawOver(random: Random, fields: Fields): { before: Fields; over: Fields } {
  const before: Fields = { ...fields }
  const over: Fields = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.formula === undefined || random.chance(0.5)) continue
    before[name] = { ...field, formula: field.type === 'check' ? 'false' : '7' }
    over[name] = { formula: field.formula }
  }
  return { before, over }
}

/** A file of a block, or of a later folder that extends it. */
const blockText = (block: string, lines: readonly string[]): string =>
  [`# blocks/${block}.yaml`, ...lines].join('\n')

/** What a pair's rows are in each twin, their block, and the file that extends it. */
interface DrawnRows {
  readonly table: Part
  readonly flat: Part
  readonly text: string
  readonly over: string
}

/** The rows of the twins: in the one a table that uses a block, with keys and finds of its own, in the other all its columns. */
function drawRows(drawing: Drawing, block: string): DrawnRows {
  const { random, row } = drawing
  const price = random.one(['#', '# + 1'])
  const drawn = [
    drawField(drawing, row, 'qty', { type: 'float', default: 1 }),
    drawField(drawing, row, 'price', { type: 'currency', default: price, renew: 'changed(item)' }),
    drawField(drawing, row, 'amount', {
      type: 'currency',
      formula: random.one(['qty * price * (100 - #) / 100', 'qty * price + (~ ? # : 0)']),
    }),
    drawField(drawing, row, 'more', { type: 'float', formula: random.one(NUMBERS_OF_ROWS) }),
    drawField(drawing, row, 'told', {
      type: 'check',
      formula: random.one(['~', '~ || ~', '# > #']),
    }),
  ]
  const base: Fields = { item: { type: 'link', options: 'Article' }, store: { type: 'data' } }
  const isShared = (): boolean => random.chance(0.6)
  const shared = drawn.filter(({ name }) => name === 'qty' || isShared())
  const own = drawn.filter((one) => !shared.includes(one))
  const finds = Object.entries(row.finds)
  const inBlock = Object.fromEntries(finds.filter(isShared))
  const outside = Object.fromEntries(finds.filter(([name]) => !(name in inBlock)))
  // What the DocType takes back or says otherwise is something else in the block.
  const blockFields = fieldsOf(shared, 'words')
  const changed: Fields = {}
  blockFields.qty = { ...blockFields.qty, max: 2 }
  blockFields.spare = { type: 'float', formula: 'qty * 3' }
  for (const { name, words } of shared)
    if (words.formula !== undefined && random.chance(0.4)) {
      blockFields[name] = { ...words, formula: words.type === 'check' ? 'true' : 'qty * 1' }
      changed[name] = { formula: words.formula }
    }
  const without = ['spare', 'qty.max']
  const { before, over } = drawOver(random, blockFields)
  const added: Part = { type: 'float', formula: 'qty + 1' }
  const parts = withParameters({
    fields: before,
    ...(Object.keys(inBlock).length > 0 ? { find: inBlock } : {}),
  })
  const overParts = withParameters({ fields: { ...over, added } })
  const isDated = JSON.stringify([parts, overParts]).includes('$on')
  const use = {
    block,
    ...(isDated ? { with: { on: 'day' } } : {}),
    after: random.one(['item', 'store']),
    without,
  }
  return {
    text: blockText(block, [
      `parameters: {${isDated ? 'on: {}, ' : ''}count: {default: qty}}`,
      ...Object.entries(parts).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ]),
    over: blockText(block, ['extend: true', `fields: ${JSON.stringify(overParts.fields)}`]),
    table: {
      type: 'table',
      use: [use],
      ...(Object.keys(outside).length > 0 ? { find: outside } : {}),
      fields: { ...base, ...changed, ...fieldsOf(own, 'words') },
    },
    flat: { type: 'table', fields: { ...base, ...fieldsOf(drawn, 'flat'), added } },
  }
}

/** A pair of DocTypes that say the same, and the rollup of each that a Party keeps. */
export interface Pair {
  readonly words: string
  readonly flat: string
  /** Beginning of the ids of each. */
  readonly series: readonly [words: string, flat: string]
  readonly rollups: readonly [words: string, flat: string]
  readonly texts: readonly string[]
  /** Files of a later folder: they extend the blocks, and the DocType, by a block of their own. */
  readonly over: readonly string[]
  readonly kept: Fields
}

/** Draws a pair: the one with block, paths, finds and an overlay, and its twin in which all columns are written out. */
export function drawPair(random: Random, letter: string): Pair {
  const drawing: Drawing = { random, head: placeOf('Head'), row: placeOf('Row') }
  const { head, row } = drawing
  const [words, flat] = [`Deal ${letter}`, `Plain ${letter}`]
  const low = letter.toLowerCase()
  addFinds(drawing, 'SELF')
  const rows = drawRows(drawing, `priced-${low}`)
  const fields = [
    drawField(drawing, head, 'first', { type: 'float', formula: random.one(NUMBERS) }),
    drawField(drawing, head, 'second', { type: 'float', formula: random.one(NUMBERS) }),
    drawField(drawing, head, 'third', { type: 'check', formula: random.one(['~', '# >= #']) }),
    drawField(drawing, head, 'sum', { type: 'float', formula: 'items.sum(i, i.@ * i.qty)' }),
  ]
  const limit = drawText(drawing, head, 'total <= 900 + #', 'moment')
  const message = drawText(drawing, head, '{total} is more than {#} allows', 'moment')
  const each = drawText(drawing, row, 'qty < 8 || @ > 10', 'moment')
  const state = drawText(drawing, head, '# > 20')
  const worth = drawText(drawing, row, '@')
  const moved = drawText(drawing, head, ' + #', 'moment')
  const noted = drawText(drawing, head, '#', 'moment')
  const stamped = drawText(drawing, head, 'items.sum(i, i.@)')
  const kept = drawText(drawing, row, random.one(['qty * #', '~ ? qty : 0', '# - #']))
  const rest = (twin: 'words' | 'flat', checks: readonly Part[]): Part => ({
    validate: [
      ...checks,
      {
        each: 'items',
        check: each[twin],
        field: 'qty',
        message: 'too light for {qty}',
        during: ['submit'],
      },
    ],
    status: { field: 'state', derive: { Far: state[twin], Big: 'total > 100', New: true } },
    effects: {
      submit: [
        {
          post: 'Move',
          date: 'day',
          rows: [
            {
              each: 'items',
              as: 'i',
              set: { what: 'i.item', worth: `i.amount + i.${worth[twin]}${moved[twin]}` },
            },
          ],
        },
        { set: { noted: noted[twin] } },
      ],
    },
    actions: { stamp: { steps: [{ set: { stamped: stamped[twin] } }] } },
  })
  const shape = (prefix: string): Part => ({
    module: 'sales',
    tier: 'free',
    submittable: true,
    naming: `${prefix}-{###}`,
  })
  const base: Fields = {
    party: { type: 'link', options: 'Party', filterable: true },
    day: { type: 'date' },
    extra: { type: 'float' },
    noted: { type: 'float', readOnly: true },
    stamped: { type: 'float', readOnly: true, allow_on_submit: true },
  }
  const total: Part = { type: 'currency', formula: 'items.sum(i, i.amount)' }
  const check = (twin: 'words' | 'flat'): Part => ({
    check: limit[twin],
    field: 'total',
    message: message[twin],
  })
  const [late, brought, ...early] = fields
  const headFields = drawOver(random, fieldsOf(early, 'words'))
  const lateBlock = `late-${low}`
  const findsLate = random.chance(0.5)
  const named = (parts: unknown, doctype: string): Part =>
    JSON.parse(JSON.stringify(parts).replaceAll('SELF', doctype)) as Part
  const headBlock = `headed-${low}`
  return {
    words,
    flat,
    series: [`D${letter}`, `P${letter}`],
    rollups: [`deals_${low}`, `plains_${low}`],
    texts: [
      rows.text,
      [
        `# blocks/${headBlock}.yaml`,
        'parameters: {cap: {}}',
        `fields: ${JSON.stringify(headFields.before)}`,
        `validate: ${JSON.stringify([check('words')]).replaceAll('900', '$cap')}`,
      ].join('\n'),
      written(
        words,
        named(
          {
            ...shape(`D${letter}`),
            use: [{ block: headBlock, with: { cap: 900 } }],
            ...(findsLate ? {} : { find: head.finds }),
            fields: {
              ...base,
              first: { type: 'float', formula: 'extra * 1' },
              items: rows.table,
              total,
            },
            ...rest('words', []),
          },
          words,
        ),
      ),
      written(
        words,
        named(
          {
            extend: true,
            ...(findsLate ? { find: head.finds } : {}),
            fields: { first: { formula: late!.words.formula } },
          },
          words,
        ),
      ),
      written(
        flat,
        named(
          {
            ...shape(`P${letter}`),
            fields: {
              ...base,
              seen: { type: 'check', default: true },
              ...fieldsOf(fields, 'flat'),
              ...head.columns,
              items: { ...rows.flat, fields: { ...(rows.flat.fields as Fields), ...row.columns } },
              total,
            },
            ...rest('flat', [check('flat')]),
          },
          flat,
        ),
      ),
    ],
    over: [
      rows.over,
      blockText(headBlock, [
        'extend: true',
        `fields: ${JSON.stringify({ ...headFields.over, seen: { type: 'check', default: true } })}`,
      ]),
      blockText(lateBlock, [
        'parameters: {name: {}}',
        `fields: ${JSON.stringify(fieldsOf([brought!], 'words')).replace('"second"', '"$name"')}`,
      ]),
      written(words, {
        extend: true,
        use: [{ block: lateBlock, with: { name: 'second' }, after: 'day' }],
      }),
    ],
    kept: Object.fromEntries(
      (
        [
          [`deals_${low}`, words, kept.words],
          [`plains_${low}`, flat, kept.flat],
        ] as const
      ).map(([name, doctype, sum]) => [
        name,
        {
          type: 'float',
          rollup: {
            from: `${doctype}.items`,
            match: 'parent.party',
            sum,
            where: 'parent.docstatus == 1',
          },
        },
      ]),
    ),
  }
}

/** The text of the later folder. */
export function twinOverlays(pairs: readonly Pair[]): string {
  return pairs.flatMap(({ over }) => over).join('\n---\n')
}

/** The text of a workspace with these pairs. */
export function twinDocTypes(pairs: readonly Pair[]): string {
  const party = written('Party', {
    module: 'crm',
    tier: 'free',
    naming: 'field:title',
    fields: {
      title: { type: 'data', required: true },
      group: { type: 'link', options: 'Group' },
      ceiling: { type: 'currency' },
      trusted: { type: 'check' },
      ...Object.assign({}, ...pairs.map(({ kept }) => kept)),
    },
  })
  return [MASTERS.trim(), party, ...pairs.flatMap(({ texts }) => texts)].join('\n---\n')
}
