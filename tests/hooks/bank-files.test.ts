import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const MT940 = `{1:F01BANKDEFFXXXX}{2:I940}{4:
:20:STARTUMSE
:25:10020030/1234567
:28C:00001/001
:60F:C260301EUR1000,00
:61:2603020302CR250,00NTRFINV-12//BANKREF1
:86:166?00GUTSCHRIFT?20Rechnung 12?21 vom Maerz?32ACME?33 GMBH
:61:260303D49,9NMSCNONREF
:86:Bank charges
for March
:61:2603040304RD5,00NCHGNONREF//BANKREF3
:62F:C260304EUR1205,10
-}`

const CAMT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
  <BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt>
    <Ntry>
      <Amt Ccy="EUR">250.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
      <BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>BANKREF1</AcctSvcrRef>
      <NtryDtls><TxDtls>
        <Refs><EndToEndId>INV-12</EndToEndId></Refs>
        <RltdPties><Dbtr><Nm>Smith &amp; Sons</Nm></Dbtr><Cdtr><Nm>Us</Nm></Cdtr></RltdPties>
        <RmtInf><Ustrd>Invoice 12</Ustrd><Ustrd><![CDATA[of <March>]]></Ustrd></RmtInf>
      </TxDtls></NtryDtls>
    </Ntry>
    <!-- not booked yet -->
    <Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts></Ntry>
    <Ntry>
      <Amt Ccy="EUR">49.9</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><DtTm>2026-03-03T08:00:00+01:00</DtTm></BookgDt>
      <AddtlNtryInf>Bank charges</AddtlNtryInf>
    </Ntry>
  </Stmt></BkToCstmrStmt>
</Document>`

const OFX = `OFXHEADER:100
DATA:OFXSGML

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR
<BANKTRANLIST><DTSTART>20260301
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302120000[-5:EST]<TRNAMT>250.00<FITID>BANKREF1<NAME>Smith &amp; Sons<MEMO>Invoice 12
</STMTTRN>
<STMTTRN>
<TRNTYPE>CHECK
<DTPOSTED>20260303
<TRNAMT>-49.9
<FITID>2
<CHECKNUM>1001
</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

function rows(format: string, content: string): readonly (readonly unknown[])[] {
  return runHook('bank_statement_rows', { content, format }).map((row) => [
    row.date,
    row.description,
    row.reference_number,
    row.transaction_id,
    row.deposit,
    row.withdrawal,
    row.currency,
  ])
}

const test = suite('a bank statement in a file')

test('of MT940 has its lines, with purpose and counterpart; a reversed debit comes in', () => {
  assert.equal(rows('MT940', MT940), [
    ['2026-03-02', 'ACME GMBH Rechnung 12 vom Maerz', 'INV-12', 'BANKREF1', 250, 0, 'EUR'],
    ['2026-03-03', 'Bank charges for March', '', '', 0, 49.9, 'EUR'],
    ['2026-03-04', '', '', 'BANKREF3', 5, 0, 'EUR'],
  ])
})

test('of CAMT.053 has what is booked', () => {
  assert.equal(rows('CAMT.053', CAMT), [
    ['2026-03-02', 'Smith & Sons Invoice 12 of <March>', 'INV-12', 'BANKREF1', 250, 0, 'EUR'],
    ['2026-03-03', 'Bank charges', '', '', 0, 49.9, 'EUR'],
  ])
})

test('of OFX is read in both versions', () => {
  const expected = [
    ['2026-03-02', 'Smith & Sons Invoice 12', '', 'BANKREF1', 250, 0, 'EUR'],
    ['2026-03-03', '', '1001', '2', 0, 49.9, 'EUR'],
  ]
  assert.equal(rows('OFX', OFX), expected)
  const xml = OFX.replace(/<([A-Z]+)>([^<\n]+)\n?(?=<)/g, '<$1>$2</$1>')
  assert.ok(xml.includes('</FITID>'))
  assert.equal(rows('OFX', xml), expected)
})

test('that is none, or is damaged, is refused with its place', () => {
  const refused = (format: string, content: string): string =>
    refusalOf('bank_statement_rows', { format, content })
  assert.match(refused('MT940', 'hello'), /expected an MT940 statement/)
  assert.match(
    refused('MT940', MT940.replace('CR250,00', '??')),
    /^line 6: expected a statement line/,
  )
  assert.match(refused('MT940', MT940.replace('260303D', '260231D')), /^line 8: expected a date/)
  assert.match(refused('CAMT.053', '<a/>'), /expected a statement of camt.053/)
  assert.match(
    refused('CAMT.053', CAMT.replace('</Stmt>', '')),
    /^line 20: expected the end of Stmt/,
  )
  assert.match(
    refused('CAMT.053', CAMT.replace('>1</Amt>', '>&evil;</Amt>')),
    /^line 14: unknown entity &evil;/,
  )
  assert.match(
    refused('CAMT.053', CAMT.replace('>1</Amt>', '>&constructor;</Amt>')),
    /^line 14: unknown entity &constructor;/,
  )
  assert.match(
    refused('CAMT.053', `<!DOCTYPE a [<!ENTITY evil "x">]>${CAMT}`),
    /^line 1: expected well-formed XML without DOCTYPE/,
  )
  assert.match(refused('CAMT.053', CAMT.replace('250.00', 'much')), /^entry 1: expected an amount/)
  assert.match(refused('CAMT.053', '<a>'.repeat(200)), /at most 100 elements inside each other/)
  assert.match(refused('OFX', 'hello'), /expected a statement of OFX/)
  assert.match(
    refused('OFX', OFX.replace('<DTPOSTED>20260303', '')),
    /^transaction 2: expected a date/,
  )
})

for (const seed of SEEDS)
  test(`that is damaged anywhere is read or refused, and never breaks the program (seed ${seed})`, () => {
    const random = randomOf(seed)
    const files = { MT940, 'CAMT.053': CAMT, OFX, CSV: 'Date,Amount,Text\n2026-03-02,1,x\n' }
    for (let round = 0; round < rounds(300); round += 1) {
      const [format, text] = random.one(Object.entries(files))
      const at = random.below(text.length)
      const piece = random.one([
        '',
        '<',
        '>',
        '&',
        '"',
        ':',
        '\n',
        '-',
        '0',
        '<a>',
        '</a>',
        '\u0000',
        '𝒳',
      ])
      const content = text.slice(0, at) + piece + text.slice(at + random.below(4))
      try {
        for (const row of runHook('bank_statement_rows', { format, content }))
          assert.match(String(row.date), /^\d{4}-\d\d-\d\d$/)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }
  })

test.run()
