import { closeSync, cpSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Dice } from '../../../engine/base/dice.ts'
import { type CopyPlace, runCommand, StartRefused, startServer } from '../processes.ts'
import type { Scene } from '../scene.ts'
import type { Deed, Fault } from './fault.ts'

/** Share of the pages that are overwritten, and how many at least. */
const SHARE = 0.05
const LEAST = 8

/** A disk that gives back other bytes than it was given: on a copy of the copy, which is thrown away. */
export const damage: Fault = {
  name: 'damage',
  what: 'overwrites pages of a copy of the copy: it has to be refused, not repaired and not believed',
  missing: (kind) =>
    kind === 'postgres' ? 'the pages of PostgreSQL are those of its server' : undefined,
  async make(scene, { dice }) {
    await scene.load.stop()
    await scene.load.settle()
    await scene.stopServers()
    const dataFolder = join(scene.copy.folder, 'damaged')
    cpSync(scene.place(), dataFolder, { recursive: true })
    try {
      const pages = overwritePages(join(dataFolder, 'workspace.db'), dice)
      const place = { dataFolder, env: scene.copy.env }
      return await look(place, pages, scene)
    } finally {
      rmSync(dataFolder, { recursive: true, force: true })
      await scene.serve()
      scene.load.start()
    }
  },
}

async function look(place: CopyPlace, pages: number, { copy }: Scene): Promise<Deed> {
  const problems: string[] = []
  const started = await startOn(place)
  for (const args of [['doctor'], ['backup', join(copy.folder, 'damaged.backup')]]) {
    const { code, stdout, stderr } = await runCommand(place, args)
    const said = `${stdout}\n${stderr}`
    if (code === 0) problems.push(`\`svc ${args[0]}\` found nothing wrong with damaged pages`)
    else if (!/restore/.test(said))
      problems.push(`\`svc ${args[0]}\` does not say what to do: ${said.trim().slice(-300)}`)
  }
  return {
    did: `overwrote ${pages} pages of a copy: ${started}; \`svc doctor\` and \`svc backup\` refuse it`,
    recoveredMs: null,
    problems,
  }
}

/** What a server does with it, in words: it need not find damage that it does not come by. */
async function startOn(place: CopyPlace): Promise<string> {
  try {
    const server = await startServer(place)
    await server.kill()
    return 'a server started, as it came by none of them'
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    return 'a server refused to start'
  }
}

/** Overwrites pages by chance, all but the first one, without which it would be no database at all. */
function overwritePages(file: string, dice: Dice): number {
  const handle = openSync(file, 'r+')
  try {
    const head = Buffer.alloc(2)
    readSync(handle, head, 0, 2, 16)
    const size = head.readUInt16BE(0) === 1 ? 65_536 : head.readUInt16BE(0)
    const all = Math.floor(fstatSync(handle).size / size)
    const count = Math.min(all - 1, Math.max(LEAST, Math.round(all * SHARE)))
    const bytes = Buffer.alloc(size)
    for (let done = 0; done < count; done += 1) {
      for (let at = 0; at < size; at += 1) bytes[at] = dice.between(0, 255)
      writeSync(handle, bytes, 0, size, dice.between(1, all - 1) * size)
    }
    return count
  } finally {
    closeSync(handle)
  }
}
