import { suggest } from '../base/suggest.ts'
import { readWorkspaceFile, type WorkspaceFile } from '../definition/load/workspace-file.ts'
import type { Registry } from '../definition/model/registry.ts'
import type { Path } from '../definition/yaml/parse.ts'
import { DefinitionErrors } from '../definition/yaml/problems.ts'
import { createPlaces, isMap, type YamlMap } from '../definition/yaml/source.ts'
import type { Addon } from './addons.ts'
import type { Plans } from './plans.ts'

/** A mistake, and the way to it from the top of the file. */
interface Mistake {
  readonly path: Path
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
  const file = readWorkspaceFile(folders, 'addons.yaml')
  if (!file) return []
  const mistakes = mistakesOf(file.data, registry)
  if (mistakes.length > 0) throw placed(file, mistakes)
  const { addons } = file.data as { readonly addons: readonly Omit<Addon, 'tier'>[] }
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

function placed(file: WorkspaceFile, mistakes: readonly Mistake[]): DefinitionErrors {
  const places = createPlaces()
  return new DefinitionErrors(
    mistakes.map(({ path, message }) => ({ ...places.in([file], path, 'value'), message })),
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

function within(path: Path): (mistake: Mistake) => Mistake {
  return (mistake) => ({ ...mistake, path: [...path, ...mistake.path] })
}

function keyMistakes(addon: YamlMap): Mistake[] {
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

function doctypeMistakes({ doctypes }: YamlMap, registry: Registry): Mistake[] {
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
