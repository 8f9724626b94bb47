import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchIdleMemory } from '../../server/observe/idle-memory.ts'

const memory = suite('memory of a server that has nothing to do')

/** A server whose work is told here, and how often it has given back. */
function watched() {
  const server = { worked: 0, rests: 0, errors: [] as unknown[] }
  const { look, stop } = watchIdleMemory({
    rest: () => {
      server.rests += 1
    },
    worked: () => server.worked,
    onError: (error) => server.errors.push(error),
  })
  stop()
  return {
    server,
    /** Looks after each of these times of work, in ms. */
    async after(...works: readonly number[]): Promise<number> {
      for (const work of works) {
        server.worked += work
        await look()
      }
      return server.rests
    },
  }
}

memory('is given back once after a load, when it has been quiet for half a minute', async () => {
  const { after, server } = watched()
  assert.is(await after(9_000, 0, 100), 0, 'it may go on')
  assert.is(await after(0), 1)
  assert.is(await after(0, 0, 0, 0, 100, 100, 100, 100), 1, 'nothing has come since')
  assert.is(await after(4_000, 0, 0, 0), 2)
  assert.equal(server.errors, [])
})

memory('is kept while there is work, and where there was hardly any', async () => {
  const { after } = watched()
  assert.is(await after(...Array<number>(20).fill(300)), 0, 'now and then a request')
  assert.is(await after(0, 0, 300, 0, 0, 300), 0)
  const other = watched()
  assert.is(await other.after(1_900, ...Array<number>(20).fill(0)), 0)
})

memory(
  'that cannot be given back is told of, and asked for again after the next load',
  async () => {
    const errors: unknown[] = []
    let worked = 0
    const failure = new Error('no')
    const { look, stop } = watchIdleMemory({
      rest: () => {
        throw failure
      },
      worked: () => worked,
      onError: (error) => errors.push(error),
    })
    stop()
    worked = 9_000
    for (let at = 0; at < 4; at += 1) await look()
    assert.equal(errors, [failure])
  },
)

memory.run()
