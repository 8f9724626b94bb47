import type { Card, Fact, Grid, Sheet } from './sheet.ts'

/** A sheet with what a PDF says about itself. */
export interface PdfSheet extends Omit<Sheet, 'choices'> {
  /** Moment it says it was made at, ISO: that of the record's last change, so that the same paper is the same file. */
  readonly made: string
}

type Part = object

/** Colours of the HTML paper (`assets/print.css`). */
const INK = '#16181d'
const FAINT = '#5b6070'
const LINE = '#d5d8df'

/** Space around what is printed, in points. */
const MARGIN = 48
const FOOT = 64
const ROLL_MARGIN = 12

/** Sizes of paper as pdfmake has them, in points: a roll of 80 mm is as long as what stands on it. */
const PAGE_SIZES: Readonly<Record<Sheet['paper'], string | object>> = {
  a4: 'A4',
  letter: 'LETTER',
  receipt: { width: 226.77, height: 'auto' },
}

/** What pdfmake draws: the same parts in the same order as the HTML paper (`draw.ts`). */
export function pdfDefinition(sheet: PdfSheet): object {
  const { language, paper, title, number, stamp, letterhead, made } = sheet
  return {
    pageSize: PAGE_SIZES[paper],
    pageMargins: paper === 'receipt' ? ROLL_MARGIN : [MARGIN, MARGIN, MARGIN, FOOT],
    version: '1.7',
    language,
    info: {
      title: `${title} ${number}`,
      ...(letterhead ? { author: letterhead.name } : {}),
      creator: 'svc',
      producer: 'svc',
      creationDate: new Date(made),
      modDate: new Date(made),
    },
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.25, color: INK },
    ...(stamp === undefined
      ? {}
      : { watermark: { text: stamp, color: FAINT, opacity: 0.15, bold: true } }),
    content: [
      ...(letterhead ? [letterheadOf(letterhead)] : []),
      subjectOf(sheet),
      ...sheet.groups.flatMap(({ title: heading, facts }) => [
        ...(heading === '' ? [] : [headingOf(heading)]),
        ...factsOf(facts),
      ]),
      ...sheet.tables.flatMap(gridOf),
      ...totalsOf(sheet),
      ...sheet.below.flatMap(gridOf),
      ...(sheet.bank ? [headingOf(sheet.bank.label), ...factsOf(sheet.bank.card.facts)] : []),
      ...sheet.notes.flatMap(({ label, value }) => [headingOf(label), { text: value }]),
    ],
    footer: (page: number, pages: number) => footerOf(letterhead, page, pages),
  }
}

function letterheadOf({ name, lines, logo }: Card): Part {
  const sender = {
    stack: [
      { text: name, bold: true, fontSize: 14 },
      ...(lines.length > 0 ? [{ text: lines.join(' · '), color: FAINT, fontSize: 8 }] : []),
    ],
  }
  const columns = logo === undefined ? [sender] : [pictureOf(logo), sender]
  return { columns, columnGap: 12, margin: [0, 0, 0, 24] }
}

function pictureOf(logo: string): Part {
  return { image: logo, fit: [120, 40], width: 'auto' }
}

function subjectOf({ parties, title, number, facts }: PdfSheet): Part {
  return {
    columns: [
      { stack: parties.flatMap(({ label, card }) => partyOf(label, card)), width: '*' },
      {
        stack: [
          { text: title, fontSize: 18, bold: true, lineHeight: 1.1 },
          { text: number, color: FAINT, margin: [0, 0, 0, 8] },
          ...factsOf(facts),
        ],
        width: parties.length > 0 ? '45%' : '*',
      },
    ],
    columnGap: 24,
    margin: [0, 0, 0, 18],
  }
}

function partyOf(label: string, { name, lines, facts }: Card): readonly Part[] {
  return [
    { text: label, color: FAINT, fontSize: 8 },
    { text: name, bold: true },
    ...lines.map((text) => ({ text })),
    ...factsOf(facts),
    { text: '', margin: [0, 0, 0, 10] },
  ]
}

function headingOf(text: string): Part {
  return { text, bold: true, fontSize: 10, margin: [0, 12, 0, 4], headlineLevel: 1 }
}

/** Labels and values in two columns. */
function factsOf(facts: readonly Fact[]): readonly Part[] {
  if (facts.length === 0) return []
  const body = facts.map(({ label, value }) => [{ text: label, color: FAINT }, { text: value }])
  return [{ table: { widths: [96, '*'], body }, layout: BARE }]
}

/** A table whose head stands on each page; rows are not torn. */
function gridOf({ title, columns, rows }: Grid): readonly Part[] {
  const sideOf = (at: number): object => (columns[at]?.isNumber ? { alignment: 'right' } : {})
  const head = columns.map(({ label }, at) => ({ text: label, color: FAINT, ...sideOf(at) }))
  const body = rows.map((cells) =>
    cells.map(({ text, under }, at) => ({
      stack: [
        { text },
        ...(under === undefined ? [] : [{ text: under, color: FAINT, fontSize: 8 }]),
      ],
      ...sideOf(at),
    })),
  )
  return [
    ...(title === undefined ? [] : [headingOf(title)]),
    {
      table: {
        headerRows: 1,
        dontBreakRows: true,
        keepWithHeaderRows: 1,
        widths: widthsOf(columns.length, widestOf(columns, rows)),
        body: [head, ...body],
      },
      layout: RULED,
      margin: [0, 0, 0, 8],
    },
  ]
}

/** The column of texts that has most to say gets what the others leave. */
function widestOf(columns: Grid['columns'], rows: Grid['rows']): number {
  const lengths = columns.map(({ label, isNumber }, at) =>
    isNumber ? 0 : Math.max(label.length, ...rows.map((cells) => cells[at]?.text.length ?? 0)),
  )
  return lengths.indexOf(Math.max(...lengths))
}

function widthsOf(count: number, widest: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => (at === widest ? '*' : 'auto'))
}

function totalsOf({ totals }: PdfSheet): readonly Part[] {
  if (totals.length === 0) return []
  const body = totals.map(({ label, value, isStrong }) => {
    const weight = isStrong ? { bold: true, fontSize: 11 } : {}
    return [
      { text: label, ...weight },
      { text: value, alignment: 'right', ...weight },
    ]
  })
  const table = { table: { widths: ['*', 'auto'], dontBreakRows: true, body }, layout: BARE }
  return [
    {
      columns: [
        { text: '', width: '*' },
        { ...table, width: 230 },
      ],
      margin: [0, 0, 0, 8],
    },
  ]
}

function footerOf(letterhead: Card | undefined, page: number, pages: number): Part {
  const told = letterhead
    ? [
        letterhead.name,
        ...letterhead.reach,
        ...letterhead.facts.map(({ label, value }) => `${label} ${value}`),
      ]
    : []
  return {
    columns: [
      { text: told.join(' · '), width: '*' },
      { text: `${page} / ${pages}`, width: 'auto', alignment: 'right' },
    ],
    columnGap: 12,
    margin: [MARGIN, 20, MARGIN, 0],
    fontSize: 7.5,
    color: FAINT,
  }
}

const NONE = (): number => 0

/** Tables without lines. */
const BARE = {
  hLineWidth: NONE,
  vLineWidth: NONE,
  paddingLeft: NONE,
  paddingRight: () => 6,
  paddingTop: NONE,
  paddingBottom: () => 1,
}

/** Tables with a line under each row. */
const RULED = {
  hLineWidth: (at: number) => (at === 0 ? 0 : 0.5),
  hLineColor: () => LINE,
  vLineWidth: NONE,
  paddingLeft: (at: number) => (at === 0 ? 0 : 6),
  paddingRight: () => 6,
  paddingTop: () => 4,
  paddingBottom: () => 4,
}
