import { counted, printTable } from '../terminal/output.ts'
import type { Account, FaultAccount } from './account.ts'
import type { Seen } from './seen.ts'

/** Prints the account of a run for people. */
export function printAccount({ faults, verify, verdict, resources, kept, seed }: Account): void {
  printTable(
    ['FAULT', 'VERDICT', 'ANSWERED', 'FOUND', 'LOST', 'DOUBLE', 'BACK AFTER', 'WHAT WAS DONE'],
    faults.map(rowOf),
    'no fault was made',
  )
  console.log('\nwhat clients saw:')
  for (const { fault, verdict: own, saw } of faults)
    if (own !== 'not done') console.log(`  ${fault}: ${inWords(saw)}`)
  for (const { fault, problems } of faults)
    for (const problem of problems) console.log(`  ${fault}: ${problem}`)
  console.log(`\nwritten: ${resources.join(', ')} (seed ${seed})`)
  const { before, after, worse } = verify
  console.log(
    `svc verify: ${worse.length === 0 ? 'no new difference' : 'new differences'} (${before} before, ${after} after)`,
  )
  for (const line of worse) console.log(`  ${line}`)
  if (kept)
    console.log(`kept: ${kept.folder}${kept.scratch === null ? '' : ` and ${kept.scratch}`}`)
  console.log(WORDS[verdict])
}

const WORDS: Readonly<Record<Account['verdict'], string>> = {
  held: 'nothing was lost, nothing happened twice',
  lost: 'SOMETHING WAS LOST OR HAPPENED TWICE',
  failed: 'nothing was lost, but not all went as it should',
}

function rowOf(account: FaultAccount): readonly string[] {
  const { fault, verdict, did, known, found, lost, twice, recovered_ms, saw } = account
  if (verdict === 'not done') return [fault, verdict, '', '', '', '', '', did]
  const back = recovered_ms === null ? '' : `${(recovered_ms / 1000).toFixed(1)} s`
  return [
    fault,
    verdict,
    `${saw.acknowledged}`,
    `${found} of ${known}`,
    `${lost}`,
    `${twice}`,
    back,
    did,
  ]
}

function inWords({ acknowledged, read, refused, unavailable, silence, wrong }: Seen): string {
  return [
    counted(acknowledged, 'change'),
    counted(read, 'read'),
    `${refused} refused by a rule`,
    `${unavailable} put off (503)`,
    `${silence} without an answer`,
    `${wrong} answered wrongly`,
  ].join(', ')
}
