import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { progressLine, startProgress } from '../../cli/terminal/progress.ts'

const progress = suite('the progress of a long command')

/** What a terminal of this width would be sent. */
function terminal(
  isTTY: boolean,
  columns = 80,
): { readonly written: string[]; stream: NodeJS.WriteStream } {
  const written: string[] = []
  const stream = { isTTY, columns, write: (text: string) => written.push(text) }
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}

progress('is a share of the whole where that is known, else a count', () => {
  assert.is(
    progressLine('importing', 50, 200, '7 records'),
    `importing ${'█'.repeat(6)}${'░'.repeat(18)}  25 %  7 records`,
  )
  assert.match(progressLine('importing', 300, 200, ''), /█ 100 %$/)
  assert.is(progressLine('exported', 12, undefined, 'records'), 'exported 12  records')
  assert.is(progressLine('importing', 0, 0, ''), 'importing 0')
})

progress('is drawn over itself in one line of the terminal and taken away', () => {
  const { written, stream } = terminal(true, 20)
  const bar = startProgress({ label: 'importing', stream, every: 0 })
  bar.show(1, 2)
  bar.show(2, 2)
  bar.clear()
  bar.clear()
  assert.is(written.length, 3)
  for (const text of written.slice(0, 2)) {
    assert.ok(text.startsWith('\rimporting ') && text.endsWith('\u001b[K'), text)
    assert.is(text.length, '\r'.length + 19 + '\u001b[K'.length)
  }
  assert.is(written[2], '\r\u001b[K')
})

progress('is drawn now and then, and nowhere else than on a terminal', () => {
  const often = terminal(true)
  const bar = startProgress({ label: 'importing', stream: often.stream, every: 60_000 })
  for (let done = 1; done <= 100; done += 1) bar.show(done, 100)
  assert.is(often.written.length, 1)
  const file = terminal(false)
  const none = startProgress({ label: 'importing', stream: file.stream, every: 0 })
  none.show(1, 2)
  none.clear()
  assert.equal(file.written, [])
})

progress.run()
