import { deepStrictEqual } from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileNames } from '../../../engine/definition/load/file-names.ts'
import type { LoadedDefinitions } from '../../../engine/definition/load/load.ts'
import { type DefinitionSources, loadCached } from '../../../engine/definition/load/load-cached.ts'
import type { Hook } from '../../../engine/definition/model/hook.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import type { Hooks } from '../../../engine/definition/model/vocabulary.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { thing } from './marked-files.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SHIPPED = join(ROOT, 'doctypes')

const cache = suite('the cache of checked definitions')
let root = ''

cache.before.each(() => {
  root = mkdtempSync(join(tmpdir(), 'definition-cache-'))
  write('a/thing.yaml', thing('fields: {a: {type: data}}'))
  write('b/thing.yaml', thing('fields: {b: {type: data}}'))
})

cache.after.each(() => {
  rmSync(root, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

interface Load extends LoadedDefinitions {
  /** Whether the definitions came from the cache: they were not checked then. */
  readonly hit: boolean
}

function load(folders: readonly string[] = ['a', 'b'], cacheFolder = join(root, 'cache')): Load {
  let hit = true
  const loaded = loadCached(
    { doctypes: folders.map((folder) => join(root, folder)), hooks, cacheFolder },
    () => {
      hit = false
    },
  )
  return { ...loaded, hit }
}

function shippedIn(cacheFolder: string): DefinitionSources {
  return { doctypes: [SHIPPED], hooks, cacheFolder }
}

function cacheFiles(): string[] {
  return readdirSync(join(root, 'cache')).sort()
}

/** The one cache file there is. */
function cacheFile(): string {
  const [name, ...others] = cacheFiles()
  assert.equal(others, [])
  return join(root, 'cache', name!)
}

function fieldsOf({ registry }: LoadedDefinitions): unknown {
  return registry.byDoctype('Thing')?.fields.map(({ name }) => name)
}

/** Everything a registry answers about the DocTypes in it, as data: they are told once and named from then on. */
function answersOf(registry: Registry): unknown {
  const known = new Map<unknown, string>(registry.all.map((one) => [one, one.doctype]))
  const named = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null, (_key, part) => known.get(part) ?? part))
  const names = [
    ...registry.all.map(({ doctype }) => doctype),
    ...registry.all.flatMap(({ fields }) => fields.map(({ child }) => child?.name ?? '')),
  ]
  return {
    all: registry.all,
    checksum: registry.checksum,
    named: names.map((name) =>
      named([
        registry.byDoctype(name),
        registry.child(name),
        registry.parentsOf(name),
        registry.linksTo(name),
        registry.rowLinksTo(name),
      ]),
    ),
    slugs: registry.all.flatMap(({ slug, aliases }) =>
      [slug, ...aliases].map((name) => named(registry.bySlug(name))),
    ),
    fields: registry.all.map((definition) =>
      ['creation', ...definition.fields.map(({ name }) => name)].map((name) =>
        named(registry.fieldOf(definition, name)),
      ),
    ),
  }
}

cache('gives exactly what loading and checking gave', () => {
  const cold = loadChecked({ doctypes: [SHIPPED], hooks })
  const first = loadChecked(shippedIn(join(root, 'cache')))
  let checked = false
  const second = loadCached(shippedIn(join(root, 'cache')), () => {
    checked = true
  })
  assert.is(checked, false)
  assert.ok(second.registry.all.length > 50)
  deepStrictEqual(answersOf(first.registry), answersOf(cold.registry))
  deepStrictEqual(answersOf(second.registry), answersOf(cold.registry))
})

cache('gives definitions that nobody can change, down to the last list', () => {
  loadChecked(shippedIn(join(root, 'cache')))
  const { registry } = loadChecked(shippedIn(join(root, 'cache')))
  const thawed: string[] = []
  function look(value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null) return
    if (!Object.isFrozen(value)) thawed.push(path)
    for (const [key, item] of Object.entries(value)) look(item, `${path}.${key}`)
  }
  for (const definition of registry.all) look(definition, definition.doctype)
  assert.equal(thawed, [])
})

cache('still knows where everything is written', () => {
  const cold = load()
  const hit = load()
  assert.is(hit.hit, true)
  const path = ['fields', 'b', 'type']
  const file = join(root, 'b/thing.yaml')
  assert.equal(hit.positions('Thing', path), { file, line: 4, column: 20 })
  assert.equal(cold.positions('Thing', path), hit.positions('Thing', path))
  assert.is(hit.positions('Nothing', path), undefined)
})

cache('holds for these texts, file names and order of folders, and for no others', () => {
  assert.is(load().hit, false)
  assert.is(load().hit, true)

  write('b/thing.yaml', thing('fields: {c: {type: data}}'))
  const changed = load()
  assert.is(changed.hit, false, 'one byte')
  assert.equal(fieldsOf(changed), ['c'])

  renameSync(join(root, 'b/thing.yaml'), join(root, 'b/other.yaml'))
  const renamed = load()
  assert.is(renamed.hit, false, 'another name')
  assert.equal(renamed.registry.byDoctype('Thing')?.files, [join(root, 'b/other.yaml')])

  assert.equal(fieldsOf(load(['b', 'a'])), ['a'])
  assert.is(load(['b', 'a']).hit, true)
  assert.equal(fieldsOf(load(['a', 'b'])), ['c'])

  write('b/box.yaml', thing('fields: {a: {type: data}}', 'Box'))
  assert.is(load().hit, false, 'one file more')
  rmSync(join(root, 'b/box.yaml'))
  assert.is(load().registry.byDoctype('Box'), undefined)
})

cache('holds where the folders have been moved to, with the paths and places of there', () => {
  write('a/inner/box.yaml', thing('fields: {a: {type: data}}', 'Box'))
  const before = load()
  assert.is(before.hit, false)
  for (const name of ['a', 'b']) renameSync(join(root, name), join(root, `moved-${name}`))
  const after = load(['moved-a', 'moved-b'])
  assert.is(after.hit, true)
  const files = ['moved-a/thing.yaml', 'moved-b/thing.yaml'].map((name) => join(root, name))
  assert.equal(after.registry.byDoctype('Thing')?.files, files.slice(-1))
  assert.equal(after.registry.byDoctype('Box')?.files, [join(root, 'moved-a/inner/box.yaml')])
  assert.is(after.positions('Thing', ['fields', 'b', 'type'])?.file, files[1])
  assert.is(load(['moved-b', 'moved-a']).hit, false, 'another order')

  mkdirSync(join(root, 'a'))
  renameSync(join(root, 'moved-a/thing.yaml'), join(root, 'a/thing.yaml'))
  renameSync(join(root, 'moved-a'), join(root, 'a/c'))
  assert.is(load(['a', 'moved-b']).hit, false, 'one of them elsewhere in its folder')
})

cache('tells the innermost of folders that are in each other', () => {
  const names = fileNames([join(root, 'a'), join(root, 'a/inner'), './b/', 'no/../c'])
  const paths = ['a/thing.yaml', 'a/inner/box.yaml'].map((name) => join(root, name))
  const all = [...paths, 'b/thing.yaml', 'c/1:thing.yaml', join(root, 'other.yaml')]
  const named = all.map((path) => names.nameOf(path))
  assert.equal(named.slice(0, 4), ['0:thing.yaml', '1:box.yaml', '2:thing.yaml', '3:1:thing.yaml'])
  assert.is(named[4], join(root, 'other.yaml'))
  assert.equal(
    named.map((name) => names.pathOf(name)),
    all,
  )
})

cache('holds for the modules and tiers that were declared, which it knows again', () => {
  assert.is(load().hit, false)
  write('b/modules.yaml', 'modules: {crm: Customers}')
  assert.is(load().hit, false, 'modules')
  const known = load()
  assert.is(known.hit, true)
  assert.equal([...known.registry.vocabulary.modules], [['crm', 'Customers']])
  write('a/plans.yaml', 'plans: [{slug: free}]')
  assert.is(load().hit, false, 'tiers')
  assert.equal(load().registry.vocabulary.tiers, ['free'])
  write('b/modules.yaml', 'modules: {stock: Stock}')
  assert.throws(
    () => load(),
    /thing\.yaml:2:9: expected one of stock \(declared in modules\.yaml\)/,
  )
})

cache('does not outlive the program that made it', async () => {
  const engine = join(root, 'program/engine')
  for (const file of ['definition/load/cache-key.ts', 'base/packaged-files.ts'])
    cpSync(join(ROOT, 'engine', file), join(engine, file))
  const { definitionsKey } = (await import(
    `${engine}/definition/load/cache-key.ts`
  )) as typeof import('../../../engine/definition/load/cache-key.ts')
  const key = (given: Hooks = hooks): string | undefined =>
    definitionsKey([[{ path: 'a', text: 'b' }]], given, fileNames([]))

  assert.is(key(), undefined, 'without a package.json the program cannot be told')
  write('program/package.json', '{"version": "1"}')
  const first = key()
  assert.match(first!, /^[0-9a-f]{64}$/)
  assert.is(key(), first)
  write('program/engine/rules/check.ts', '// stricter')
  const stricter = key()
  const [name, hook] = [...hooks][0]!
  const changed = (change: Partial<Hook>): Hooks =>
    new Map([...hooks, [name, { ...hook, ...change }]])
  const keys = [
    key(new Map()),
    key(changed({ inputs: {} })),
    key(changed({ reads: { Thing: { a: 'str' } } })),
    key(changed({ outputs: { more: 'str' } })),
    key(changed({ gives: 'values' })),
  ]
  assert.is(hook.gives, 'rows')
  assert.is(new Set([stricter, ...keys]).size, 6, 'what hooks take and give')
  assert.is(key(changed({})), stricter)
  write('program/package.json', '{"version": "2"}')
  assert.is(new Set([first, stricter, key()]).size, 3)
})

cache('keeps nothing of files with a mistake in them', () => {
  const overlay = join(root, 'a')
  const folder = join(root, 'cache')
  const mistakes = (): string => {
    try {
      loadChecked({ doctypes: [overlay], hooks, cacheFolder: folder })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  write('a/thing.yaml', thing('fields: {a: {type: int, formula: b + 1}}'))
  assert.match(mistakes(), /thing\.yaml:4:34: unknown field 'b'/)
  assert.is(existsSync(folder), false)
  write('a/thing.yaml', thing('fields: {a: {type: nothing}}'))
  assert.match(mistakes(), /thing\.yaml:4:20: /)
  assert.is(existsSync(folder), false)
  write('a/thing.yaml', thing('fields: {a: {type: int}}'))
  assert.is(mistakes(), '')
  assert.is(cacheFiles().length, 1)

  writeFileSync(join(root, 'a/unreadable.yaml'), Buffer.from([0xff, 0xfe]))
  assert.match(mistakes(), /unreadable\.yaml:1:1: expected a readable file in UTF-8/)
})

for (const seed of SEEDS)
  cache(`ignores a damaged file and writes it again (seed ${seed})`, () => {
    const random = randomOf(seed)
    load()
    const good = readFileSync(cacheFile())
    const text = good.toString()
    const other = join(root, 'cache', `definitions-${'0'.repeat(64)}.json`)
    const damaged: (string | Buffer)[] = [
      '',
      '\n',
      'null\n[]',
      '{}\n[]',
      'not json',
      `${text}]`,
      text.replace('"format":1', '"format":0'),
      text.replace(/"key":"./, '"key":"x'),
      text.replace('"readOnly":false', '"readOnly":true'),
    ]
    for (let run = 0; run < rounds(5); run += 1) {
      damaged.push(good.subarray(0, random.below(good.length)))
      const flipped = Buffer.from(good)
      flipped[random.below(flipped.length)]! ^= 1 << random.below(7)
      damaged.push(flipped)
    }
    for (const bytes of damaged) {
      const file = cacheFile()
      writeFileSync(file, bytes)
      const loaded = load()
      assert.is(loaded.hit, false, String(bytes))
      assert.equal(fieldsOf(loaded), ['b'])
      assert.is(load().hit, true, String(bytes))
      writeFileSync(file, good)
    }

    renameSync(cacheFile(), other)
    assert.is(load().hit, false, 'under another name')
  })

cache('is of no consequence where it cannot be written or read', () => {
  write('file', '')
  for (const folder of [join(root, 'file'), join(root, 'file/below')]) {
    for (let start = 0; start < 2; start += 1) {
      const loaded = load(['a', 'b'], folder)
      assert.is(loaded.hit, false)
      assert.equal(fieldsOf(loaded), ['b'])
    }
  }
  assert.is(readFileSync(join(root, 'file'), 'utf8'), '')

  load()
  const file = cacheFile()
  rmSync(file)
  mkdirSync(join(file, 'in the way'), { recursive: true })
  assert.equal(fieldsOf(load()), ['b'])
  assert.equal(cacheFiles(), [basename(file)], 'no temporary file is left')
})

cache('may be removed at any time', () => {
  load()
  rmSync(join(root, 'cache'), { recursive: true })
  assert.is(load().hit, false)
  assert.is(load().hit, true)
})

cache('is for its owner alone, and holds two files at most', () => {
  load()
  assert.is(statSync(join(root, 'cache')).mode & 0o777, 0o700)
  const first = cacheFile()
  assert.is(statSync(first).mode & 0o777, 0o600)
  const daysAgo = (file: string, days: number): void => {
    const then = Date.now() / 1000 - days * 86_400
    utimesSync(file, then, then)
  }
  daysAgo(first, 3)

  load(['b', 'a'])
  const second = cacheFiles()
    .map((name) => join(root, 'cache', name))
    .find((file) => file !== first)!
  daysAgo(second, 2)
  write('cache/notes.txt', 'mine')
  const temporary = (letter: string): string =>
    `${first}.${letter.repeat(8)}-0000-4000-8000-000000000000.tmp`
  writeFileSync(temporary('a'), 'left behind')
  daysAgo(temporary('a'), 1)
  writeFileSync(temporary('b'), 'being written')

  load(['b'])
  const left = cacheFiles().map((name) => join(root, 'cache', name))
  assert.is(left.includes(first), false, 'the oldest has to go')
  assert.is(left.includes(second), true)
  assert.is(left.includes(temporary('a')), false)
  assert.is(left.includes(temporary('b')), true)
  assert.is(left.includes(join(root, 'cache/notes.txt')), true)
  assert.is(left.length, 4)
})

cache.run()
