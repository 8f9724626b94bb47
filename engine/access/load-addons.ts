import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yamlLibrary } from '../base/lazy-libraries.ts'
import { suggest } from '../base/suggest.ts'
import { readPlainYaml } from '../definition/plain-yaml.ts'
import { DefinitionErrors } from '../definition/problems.ts'
import type { Registry } from '../definition/registry.ts'
import type { Addon } from './addons.ts'
import type { Plans } from './plans.ts'

const FILE = 'addons.yaml'

type Map = Readonly<Record<string, unknown>>

/** A mistake, and the way to it from the top of the file. */
interface Mistake {
  readonly path: readonly (string | number)[]
  readonly message: string
}

const TEXTS = ['slug', 'label', 'description'] as const satisfies readonly (keyof Addon)[]
const KEYS: readonly string[] = [...TEXTS, 'doctypes']

/**
 * The bundles of the last of these folders that has an `addons.yaml`; none where no folder has one. Throws
 * DefinitionErrors with every mistake in it, an unknown DocType above all.
 */
export function loadAddons(
  folders: readonly string[],
  registry: Registry,
  plans: Plans,
): readonly Addon[] {
  const file = folders.map((folder) => join(folder, FILE)).findLast((path) => existsSync(path))
  if (file === undefined) return []
  const text = readFileSync(file, 'utf8')
  const data = readPlainYaml(text) ?? parsed(file, text)
  const mistakes = mistakesOf(data, registry)
  if (mistakes.length > 0) throw placed(file, text, mistakes)
  const { addons } = data as { readonly addons: readonly Omit<Addon, 'tier'>[] }
  return Object.freeze(
    addons.map((addon) => ({ ...addon, tier: tierOf(addon.doctypes, registry, plans) })),
  )
}

/** The lowest tier that has all of these DocTypes, overlays included. */
function tierOf(doctypes: readonly string[], registry: Registry, { plans }: Plans): string {
  const tiers = plans.map(({ slug }) => slug)
  const ranks = doctypes.map((name) => tiers.indexOf(registry.byDoctype(name)?.tier ?? ''))
  return tiers[Math.max(0, ...ranks)] as string
}

function parsed(file: string, text: string): unknown {
  const { LineCounter, parseDocument } = yamlLibrary()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const { line, col } = lines.linePos(pos[0])
    return { file, line, column: col, message: message.split('\n')[0] ?? message }
  })
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return document.toJS({ maxAliasCount: 0 })
}

/** Says where the mistakes are; only then is the file worth reading with places. */
function placed(file: string, text: string, mistakes: readonly Mistake[]): DefinitionErrors {
  const { LineCounter, parseDocument, isNode } = yamlLibrary()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })

  function placeOf(path: Mistake['path']): { line: number; column: number } {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
    return path.length === 0 ? { line: 1, column: 1 } : placeOf(path.slice(0, -1))
  }

  return new DefinitionErrors(
    mistakes.map(({ path, message }) => ({ file, ...placeOf(path), message })),
  )
}

function mistakesOf(data: unknown, registry: Registry): Mistake[] {
  const addons: unknown = isMap(data) ? data.addons : undefined
  if (!Array.isArray(addons)) return [{ path: [], message: 'expected addons: with a list' }]
  return addons.flatMap((addon: unknown, index) => {
    const path = ['addons', index]
    if (!isMap(addon)) return [{ path, message: `expected a bundle with ${KEYS.join(', ')}` }]
    const isTaken = addons.findIndex((one) => isMap(one) && one.slug === addon.slug) < index
    return [
      ...(isTaken ? [{ path: [...path, 'slug'], message: 'another bundle has this slug' }] : []),
      ...keyMistakes(addon).map(within(path)),
      ...doctypeMistakes(addon, registry).map(within([...path, 'doctypes'])),
    ]
  })
}

function within(path: Mistake['path']): (mistake: Mistake) => Mistake {
  return (mistake) => ({ ...mistake, path: [...path, ...mistake.path] })
}

function keyMistakes(addon: Map): Mistake[] {
  const unknown = Object.keys(addon).filter((key) => !KEYS.includes(key))
  const missing = TEXTS.filter((key) => typeof addon[key] !== 'string' || addon[key] === '')
  return [
    ...unknown.map((key) => ({
      path: [key],
      message: `unknown key ${key}; expected ${KEYS.join(', ')}`,
    })),
    ...missing.map((key) => ({ path: [key], message: `${key}: expected a text` })),
  ]
}

function doctypeMistakes({ doctypes }: Map, registry: Registry): Mistake[] {
  if (!Array.isArray(doctypes) || doctypes.length === 0)
    return [{ path: [], message: 'doctypes: expected a list of names of DocTypes' }]
  const names = registry.all.map(({ doctype }) => doctype)
  return doctypes.flatMap((name: unknown, index) => {
    if (names.includes(String(name))) return []
    const near = suggest(String(name), names)
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    return [{ path: [index], message: `no DocType ${JSON.stringify(name)} of its own${hint}` }]
  })
}

function isMap(value: unknown): value is Map {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
