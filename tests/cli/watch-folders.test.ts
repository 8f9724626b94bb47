import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchFolders } from '../../cli/watch-folders.ts'
import { eventually, type Folder, temporaryFolder } from './process.ts'

const watching = suite('the watch of folders')
let folder: Folder
let changes = 0
let close = (): void => undefined

watching.before.each(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'assets'))
  changes = 0
  close = watchFolders([folder.path, join(folder.path, 'not-there')], count, { quietMs: 20 }).close
})
watching.after.each(() => {
  close()
  folder.remove()
})

async function count(): Promise<void> {
  changes += 1
}

async function noticed(change: () => void): Promise<void> {
  const before = changes
  change()
  await eventually(() => changes > before)
}

const at = (...path: string[]): string => join(folder.path, ...path)

watching('notices files that are written, replaced by renaming and removed', async () => {
  await noticed(() => writeFileSync(at('assets', 'a.yaml'), 'a'))
  await noticed(() => {
    writeFileSync(at('other'), 'b')
    renameSync(at('other'), at('assets', 'a.yaml'))
  })
  await noticed(() => writeFileSync(at('assets', 'a.yaml'), 'c'))
  await noticed(() => rmSync(at('assets', 'a.yaml')))
})

watching('notices files in folders that are made later, and made again', async () => {
  await noticed(() => mkdirSync(at('fleet', 'inner'), { recursive: true }))
  await noticed(() => writeFileSync(at('fleet', 'inner', 'a.yaml'), 'a'))
  await noticed(() => {
    rmSync(at('fleet'), { recursive: true })
    mkdirSync(at('fleet'))
  })
  await noticed(() => writeFileSync(at('fleet', 'a.yaml'), 'a'))
})

watching('calls once more, never at the same time, for changes during a call', async () => {
  close()
  let running = 0
  let most = 0
  let calls = 0
  let finish = (): void => undefined
  const slow = async (): Promise<void> => {
    calls += 1
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    running -= 1
  }
  close = watchFolders([folder.path], slow, { quietMs: 1 }).close
  writeFileSync(at('a'), 'a')
  await eventually(() => calls === 1)
  writeFileSync(at('b'), 'b')
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.is(calls, 1)
  finish()
  await eventually(() => calls === 2)
  finish()
  assert.is(most, 1)
})

watching.run()
