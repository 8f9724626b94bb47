import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const test = suite('a bank statement in a table')

function rows(content: string, more: PlainRecord = {}): readonly (readonly unknown[])[] {
  return runHook('bank_statement_rows', { content, format: 'CSV', ...more }).map((row) => [
    row.date,
    row.description,
    row.deposit,
    row.withdrawal,
  ])
}

function refused(content: string, more: PlainRecord = {}): string {
  return refusalOf('bank_statement_rows', { content, format: 'CSV', ...more })
}

test('is read by the usual names of its columns', () => {
  const content = `Date,Description,Reference,Debit,Credit,Currency,Transaction ID
2026-03-02,Invoice 12,R-1,,"1,250.00",eur,T1
2026-03-03,"Rent, March",,900.50,,EUR,T2

2026-03-04,Correction,,-3.20,,EUR,T3`
  assert.equal(rows(content), [
    ['2026-03-02', 'Invoice 12', 1250, 0],
    ['2026-03-03', 'Rent, March', 0, 900.5],
    ['2026-03-04', 'Correction', 0, 3.2],
  ])
  const [first] = runHook('bank_statement_rows', { content, format: 'CSV' })
  assert.equal(
    [first?.reference_number, first?.transaction_id, first?.currency],
    ['R-1', 'T1', 'EUR'],
  )
})

test('is read by names that are given, with the signs and dates of the bank', () => {
  const content =
    '\uFEFFTag;Zweck;Umsatz\r\n02.03.2026;"Miete\nMärz";-1.250,00\r\n3.3.2026;Zahlung;17,5\r\n'
  const layout = {
    date_column: 'tag',
    description_column: 'Zweck',
    amount_column: 'Umsatz',
    date_format: 'DD.MM.YYYY',
    decimal_separator: ',',
  }
  assert.equal(rows(content, layout), [
    ['2026-03-02', 'Miete März', 0, 1250],
    ['2026-03-03', 'Zahlung', 17.5, 0],
  ])
})

test('takes any order of year, month and day', () => {
  const dates: readonly (readonly [format: string, text: string])[] = [
    ['', '2026-03-02'],
    ['YYYY-MM-DD', '2026-03-02T10:00:00'],
    ['DD/MM/YYYY', '02/03/2026'],
    ['MM/DD/YYYY', '03/02/2026 11:30'],
    ['DD.MM.YY', '2.3.26'],
    ['YYYYMMDD', '20260302'],
  ]
  for (const [date_format, text] of dates) {
    const [row] = rows(`Date,Amount\n${text},1`, { date_format })
    assert.is(row?.[0], '2026-03-02', date_format)
  }
})

test('knows its delimiter, and amounts in brackets', () => {
  assert.equal(rows('Date\tAmount\n2026-03-02\t(12.50)'), [['2026-03-02', '', 0, 12.5]])
  assert.equal(rows('Date|Amount\n2026-03-02|1', { delimiter: '|' }), [['2026-03-02', '', 1, 0]])
})

test('says what is wrong, and in which line', () => {
  assert.match(
    refused('When,Amount\n2026-03-02,1'),
    /holds the date\? The headers are When, Amount/,
  )
  assert.match(refused('Date,Text\n2026-03-02,1'), /holds the amount\?/)
  assert.match(refused('Date,Amount', { date_column: 'Day' }), /no column "Day"/)
  const bad = (line: string): string => refused(`Date,Amount,Debit,Credit\n2026-03-01,,1,\n${line}`)
  assert.match(bad('02.03.2026,,1,'), /^line 3: expected a date like YYYY-MM-DD, got "02.03.2026"/)
  assert.match(bad('2026-02-30,,1,'), /^line 3: expected a date of the calendar/)
  assert.match(bad('2026-03-02,,one,'), /^line 3: expected an amount like 1234.50, got "one"/)
  assert.match(bad('2026-03-02,,1,1'), /^line 3: expected either a deposit or a withdrawal/)
  assert.match(refused('Date,Amount\n2026-03-02,"1'), /the table cannot be read/)
  assert.match(refused('Date,Amount\n1,1', { date_format: 'DD.MM' }), /a date format of/)
  assert.match(refusalOf('bank_statement_rows', { content: 'x', format: 'PDF' }), /got "PDF"/)
})

test('of a hostile date format is refused at once', () => {
  for (const date_format of [
    'YYYY-YY-MM-DD',
    'DD.MM.YYYY.MM',
    'DD MM',
    `MMDD${'YYYY'.repeat(30)}X`,
  ])
    assert.match(refused('Date,Amount\n1,1', { date_format }), /a date format of/, date_format)
})

test('holds at most 5,000 transactions', () => {
  const line = '2026-03-02,1\n'
  assert.is(rows(`Date,Amount\n${line.repeat(5_000)}`).length, 5_000)
  for (const count of [5_001, 60_000])
    assert.match(refused(`Date,Amount\n${line.repeat(count)}`), /at most 5000 transactions/)
})

test('without a transaction has no rows', () => {
  assert.equal(rows(''), [])
  assert.equal(rows('Date,Amount\n'), [])
})

for (const seed of SEEDS)
  test(`gives back what was written into it (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(40); round += 1) {
      const texts = ['Rent', 'a "quoted" text', 'comma, here', 'semi; colon', 'Übung']
      const written = Array.from({ length: random.below(20) }, () => {
        const cents = random.below(100_000_000) - 50_000_000
        const day = String(1 + random.below(28)).padStart(2, '0')
        return { date: `2026-05-${day}`, text: random.one(texts), cents }
      })
      const lines = written.map(
        ({ date, text, cents }) =>
          `${date},"${text.replaceAll('"', '""')}",${(cents / 100).toFixed(2)}`,
      )
      const read = rows(['Date,Description,Amount', ...lines].join('\n'))
      assert.equal(
        read.map(([date, text, deposit, withdrawal]) => ({
          date,
          text,
          cents: Math.round((Number(deposit) - Number(withdrawal)) * 100),
        })),
        written,
      )
    }
  })

test.run()
