import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyProgress } from '../../cli/verify/progress.ts'

const progress = suite('the progress of a verification')

/** Lines that are written while a clock in ms goes on as the test says. */
function watched(isTerminal: boolean) {
  const lines: string[] = []
  const clock = { ms: 0 }
  const shown = verifyProgress({
    isTerminal,
    write: (line) => lines.push(line),
    now: () => clock.ms,
  })
  return { lines, clock, shown }
}

progress('is a line each ten seconds where nobody looks at a terminal', () => {
  const { lines, clock, shown } = watched(false)
  shown.step('Customer.outstanding')
  shown.documents(500)
  clock.ms = 9_999
  shown.documents(119_000)
  assert.equal(lines, [])
  clock.ms = 10_400
  shown.documents(500)
  clock.ms = 15_000
  shown.step('Item: formulas and status')
  clock.ms = 20_500
  shown.documents(1)
  assert.equal(lines, [
    '  verify: 1 checks, 120,000 documents after 10 s, now Customer.outstanding',
    '  verify: 2 checks, 120,001 documents after 21 s, now Item: formulas and status',
  ])
})

progress('is each step on a terminal, and a line where one takes long', () => {
  const { lines, clock, shown } = watched(true)
  shown.step('Customer.outstanding')
  clock.ms = 12_000
  shown.documents(500)
  assert.equal(lines, [
    '  Customer.outstanding',
    '  verify: 1 checks, 500 documents after 12 s, now Customer.outstanding',
  ])
})

progress.run()
