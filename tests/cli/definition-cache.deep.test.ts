import { hash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { locateWorkspace, openWorkspace } from '../../cli/workspace.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { eventually, type Folder, readFirstRun, serve, temporaryFolder } from './process.ts'

const caching = suite('the cache of definitions in the data folder')
let folder: Folder
let data = ''

caching.before.each(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
})
caching.after.each(() => folder.remove())

function cacheFiles(): string[] {
  const folder = join(data, 'cache')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** Another label in the cache, with a header that vouches for it: whoever shows it has read the cache. */
function forgeLabel(label: string, forged: string): void {
  for (const file of cacheFiles()) {
    const [header = '', content = ''] = readFileSync(file, 'utf8').split('\n')
    const changed = content.replaceAll(`"label":"${label}"`, `"label":"${forged}"`)
    assert.is.not(changed, content)
    const vouched = { ...(JSON.parse(header) as object), content: hash('sha256', changed) }
    writeFileSync(file, `${JSON.stringify(vouched)}\n${changed}`)
  }
}

/** A name for customers of this workspace's own, which is what makes a cache of its own. */
function writeLabel(label: string): void {
  mkdirSync(join(data, 'doctypes'), { recursive: true })
  const text = `doctype: Customer\nextend: true\nlabel: ${label}\n`
  writeFileSync(join(data, 'doctypes', 'customer.yaml'), text)
}

/** How the workspace calls customers when it is opened for this question. */
async function label(): Promise<unknown> {
  const { engine } = await openWorkspace(locateWorkspace({ data }))
  try {
    return engine.services.registry.byDoctype('Customer')?.label
  } finally {
    await engine.close()
  }
}

/** How a running server calls customers. */
async function labelAt(url: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/resources`, {
    headers: { authorization: `Bearer ${readFirstRun(data).admin_key}` },
  })
  const { data: resources } = (await response.json()) as {
    data: readonly { readonly slug: string; readonly label: string }[]
  }
  return resources.find(({ slug }) => slug === 'customers')?.label
}

caching('spares a start what an earlier one has checked; it can be removed', async () => {
  await prepareStarted(data)
  writeLabel('Client')
  assert.is(await label(), 'Client')
  assert.is(cacheFiles().length, 1)
  forgeLabel('Client', 'Forged')
  assert.is(await label(), 'Forged')
  rmSync(join(data, 'cache'), { recursive: true })
  assert.is(await label(), 'Client')
  assert.is(cacheFiles().length, 1)
})

caching('goes along with a workspace that is copied', async () => {
  await prepareStarted(data)
  writeLabel('Client')
  assert.is(await label(), 'Client')
  forgeLabel('Client', 'Forged')
  const copy = join(folder.path, 'copy')
  cpSync(data, copy, { recursive: true })
  rmSync(data, { recursive: true })
  data = copy
  assert.is(await label(), 'Forged')
  assert.is(cacheFiles().length, 1)
})

caching(
  'holds nothing of the DocTypes that come with the program, which keeps them itself',
  async () => {
    await prepareStarted(data)
    assert.is(await label(), 'Customer')
    assert.equal(cacheFiles(), [])
  },
)

caching('is not asked by what checks and shows DocTypes', async () => {
  await prepareStarted(data)
  writeLabel('Client')
  assert.is(await label(), 'Client')
  forgeLabel('Client', 'Forged')
  const { stdout } = await runHere(['doctype', 'show', 'Customer', '--json', '--data', data])
  assert.is((JSON.parse(stdout) as { readonly label: string }).label, 'Client')

  for (const file of cacheFiles()) writeFileSync(file, 'spoilt')
  assert.is((await runHere(['doctype', 'check', '--data', data])).code, 0)
  for (const file of cacheFiles()) assert.is(readFileSync(file, 'utf8'), 'spoilt')
})

caching('follows the files that --watch sees change', async () => {
  await prepareStarted(data)
  writeLabel('Trader')
  const served = await serve(data, ['--watch'])
  try {
    for (const label of ['Client', 'Patron', 'Buyer']) {
      writeLabel(label)
      await eventually(async () => (await labelAt(served.url)) === label)
    }
    // One for each label and one from the start, had the old ones not been removed.
    await eventually(() => cacheFiles().length === 2)
  } finally {
    await served.end()
  }
})

caching('stops no start where it cannot be', async () => {
  await prepareStarted(data)
  writeLabel('Client')
  writeFileSync(join(data, 'cache'), 'a file where the folder should be')
  chmodSync(join(data, 'cache'), 0o400)
  assert.is(await label(), 'Client')
  assert.is(await label(), 'Client')
})

caching.run()
