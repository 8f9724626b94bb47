import { parseArgs } from 'node:util'

/** Options of one run of the bench. */
export interface Options {
  readonly sideBySide: boolean
  readonly growth: boolean
  readonly heavy: boolean
  readonly load: boolean
  readonly start: boolean
  readonly invoice: boolean
  readonly import: boolean
  readonly importHttp: boolean
  readonly stream: boolean
  readonly preview: boolean
  readonly webhooks: boolean
  readonly reports: boolean
  readonly stall: boolean
  readonly lookBack: boolean
  readonly desk: boolean
  readonly peers: boolean
  /** Folder of an older build whose requests, and invoices on PostgreSQL, are measured beside ours; empty for none. */
  readonly beside: string
  /** Alternating rounds of the comparison; its figures are medians over them. */
  readonly rounds: number
  /** Length of one measurement, in seconds. */
  readonly seconds: number
  /** Text in the names of the operations that run; empty for all. */
  readonly only: string
  /** Largest table of the growth part. */
  readonly rows: number
}

export const USAGE = `usage: npm run bench -- [--http] [--growth] [--heavy] [--load] [--invoice] [--import]
                       [--import-http] [--stream] [--preview] [--webhooks] [--reports] [--stall] [--look-back] [--desk] [--peers] [--start] [--beside FOLDER]
                       [--all] [--only TEXT] [--rows N]

  --http     our server beside a hand-written one
  --growth   how operations grow with the number of rows (10 k, 100 k, 1 M)
  --heavy    gets beside lists and searches with tens of thousands of hits, on a million rows
  --load     loading 140 definitions, from their files and from the cache
  --invoice  create + submit of invoices beside hand-written SQL
  --import   100,000 customers from CSV beside a program written for them
  --import-http  the same over HTTP, beside the command
  --stream   what a change costs with a thousand who listen
  --preview  previews of an invoice beside its create and submit
  --webhooks deliveries beside a hand-written loop, and what they cost the API
  --reports  reports over a million ledger rows, and documents, beside hand-written SQL
  --stall    how long others wait beside hostile requests (--only hostile), and beside each report
             over a million ledger rows
   --look-back  stock entries of earlier days, with others behind them
  --desk     a list in the Desk beside the same by react-admin, which is installed for it (not part of --all)
  --peers    our server beside PocketBase, which is built with Go for it (not part of --all)
  --start    start to first answer, and memory
  --beside   requests on SQLite and invoices on PostgreSQL by the build in FOLDER (with its node_modules) and by
             this one, 16 at once (not part of --all)
  --all      all of them; so does naming none
  --only     of --http, --peers, --beside, --webhooks, --reports and --stall, only what has TEXT in its name, e.g. list; invoices for those of --beside alone
  --rows     of --growth and --heavy, the largest table; of --reports and --stall, rows of each ledger (default 1000000)

  BENCH_ROUNDS (default 5) and BENCH_SECONDS (default 2) shorten --http, --peers, --invoice and --webhooks;
  BENCH_ROUNDS shortens --import, --desk and --beside.
  BENCH_PROFILE=FOLDER keeps a CPU profile of each server that is measured.`

/** Reads the command line and the environment. Throws Error for what is none of it. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      http: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      heavy: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
      invoice: { type: 'boolean', default: false },
      import: { type: 'boolean', default: false },
      'import-http': { type: 'boolean', default: false },
      stream: { type: 'boolean', default: false },
      preview: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      reports: { type: 'boolean', default: false },
      stall: { type: 'boolean', default: false },
      'look-back': { type: 'boolean', default: false },
      desk: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rows: { type: 'string', default: '1000000' },
      beside: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const {
    http,
    growth,
    heavy,
    load,
    start,
    invoice,
    import: imports,
    webhooks,
    reports,
    stall,
  } = values
  const [lookBack, importHttp, { stream, preview, desk, peers, beside }] = [
    values['look-back'],
    values['import-http'],
    values,
  ]
  const all =
    values.all ||
    !(
      http ||
      growth ||
      heavy ||
      load ||
      start ||
      invoice ||
      imports ||
      importHttp ||
      stream ||
      preview ||
      webhooks ||
      reports ||
      stall ||
      lookBack ||
      desk ||
      peers ||
      beside !== ''
    )
  return {
    sideBySide: all || http,
    growth: all || growth,
    heavy: all || heavy,
    load: all || load,
    start: all || start,
    invoice: all || invoice,
    import: all || imports,
    importHttp: all || importHttp,
    stream: all || stream,
    preview: all || preview,
    webhooks: all || webhooks,
    reports: all || reports,
    stall: all || stall,
    lookBack: all || lookBack,
    // They fetch packages: only who names them has them.
    desk,
    peers,
    beside,
    rounds: positive('BENCH_ROUNDS', env.BENCH_ROUNDS || '5'),
    seconds: positive('BENCH_SECONDS', env.BENCH_SECONDS || '2'),
    only: values.only,
    rows: positive('--rows', values.rows),
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`${name}: expected a number above 0, got ${text}`)
  return number
}
