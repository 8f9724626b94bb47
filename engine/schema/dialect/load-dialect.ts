import { join } from 'node:path'
import { suggest } from '../../base/suggest.ts'
import { DIALECTS, RECORD_SETS } from '../../definition/load/record-sets.ts'
import { readWorkspaceFile, type WorkspaceFile } from '../../definition/load/workspace-file.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { DefinitionErrors } from '../../definition/yaml/problems.ts'
import { createPlaces, isMap } from '../../definition/yaml/source.ts'
import { publicField } from '../../fields/public-fields.ts'
import { isWritable } from '../shapes/json-schema.ts'
import type { Dialect, ShownName, Taken, Words } from './dialect.ts'
import { readMethods } from './load-methods.ts'
import { assertKeys, entriesOf, type Named, type Spoken, type Tell } from './spoken.ts'

interface WritableWords {
  readonly takes: Taken[]
  readonly shows: Map<string, ShownName>
  readonly refuses: Set<string>
}

/** Beside the sets of records of `setup/`: it speaks of what every workspace has. */
const FILE = join(RECORD_SETS, DIALECTS, 'site.yaml')

const NONE: Dialect = { of: () => undefined, methods: new Map() }

/**
 * The dialect of the last of these folders that has a `setup/dialects/site.yaml`; nothing is said otherwise where no folder has
 * one. Throws DefinitionErrors with every mistake in it: unknown DocTypes, fields, actions.
 */
export function loadDialect(folders: readonly string[], registry: Registry): Dialect {
  const file = readWorkspaceFile(folders, FILE)
  if (!file) return NONE
  const mistakes: { readonly path: Path; readonly message: string }[] = []
  const tell: Tell = (path, message) => mistakes.push({ path, message })
  const dialect = dialectOf(file.data, registry, tell)
  if (mistakes.length > 0) throw placed(file, mistakes)
  return dialect
}

function placed(
  file: WorkspaceFile,
  mistakes: readonly { readonly path: Path; readonly message: string }[],
): DefinitionErrors {
  const places = createPlaces()
  return new DefinitionErrors(
    mistakes.map(({ path, message }) => ({ ...places.in([file], path, 'value'), message })),
  )
}

function dialectOf(data: unknown, registry: Registry, tell: Tell): Dialect {
  if (!isMap(data)) {
    tell([], 'expected documents: and methods:')
    return NONE
  }
  assertKeys(data, ['documents', 'methods'], [], tell)
  const named = naming(registry, tell)
  const words = new Map<string, WritableWords>()
  const groups: unknown = data.documents ?? []
  if (!Array.isArray(groups)) tell(['documents'], 'expected a list')
  else for (const [index, group] of groups.entries()) readGroup(words, named, tell, index, group)
  return {
    of: (name) => words.get(name) as Words | undefined,
    methods: readMethods(data.methods, named, tell),
  }
}

function naming({ all, byDoctype, child }: Registry, tell: Tell): Named {
  return (name, path) => {
    const found = byDoctype(String(name)) ?? child(String(name))
    if (found) return found
    const near = suggest(
      String(name),
      all.map(({ doctype }) => doctype),
    )
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    tell(path, `no DocType ${JSON.stringify(name)}${hint}`)
    return undefined
  }
}

/** Reads one group: what the DocTypes of `of` take, show and refuse alike. */
function readGroup(
  words: Map<string, WritableWords>,
  named: Named,
  tell: Tell,
  index: number,
  group: unknown,
): void {
  const path: Path = ['documents', index]
  if (!isMap(group) || !Array.isArray(group.of)) {
    tell(path, 'expected of: with a list of DocTypes, and take:, show: or refuse:')
    return
  }
  assertKeys(group, ['of', 'take', 'show', 'refuse'], path, tell)
  for (const [at, name] of group.of.entries()) {
    const spoken = named(name, [...path, 'of', at])
    if (!spoken) continue
    const own = words.get(String(name)) ?? { takes: [], shows: new Map(), refuses: new Set() }
    words.set(String(name), own)
    readTake(own, spoken, group.take, [...path, 'take'], tell)
    readShow(own, spoken, group.show, [...path, 'show'], tell)
    readRefuse(own, spoken, group.refuse, [...path, 'refuse'], tell)
  }
}

function readTake(own: WritableWords, spoken: Spoken, take: unknown, path: Path, tell: Tell): void {
  for (const [field, written] of entriesOf(take, path, tell)) {
    assertField(spoken, field, [...path, field], tell)
    for (const one of Array.isArray(written) ? written : [written]) {
      const taken = typeof one === 'string' ? { from: one } : one
      if (isMap(taken) && typeof taken.from === 'string') {
        assertKeys(
          taken,
          ['from', 'when', 'unsigned', 'less', 'column', 'mark', 'only', 'alike'],
          [...path, field],
          tell,
        )
        own.takes.push({ ...(taken as unknown as Taken), field })
      } else tell([...path, field], 'expected the name that clients send, or from: with it')
    }
  }
}

function readShow(own: WritableWords, spoken: Spoken, show: unknown, path: Path, tell: Tell): void {
  for (const [name, written] of entriesOf(show, path, tell)) {
    const shown = isMap(written) ? written : { field: written }
    assertKeys(shown, ['field', 'words'], [...path, name], tell)
    assertField(spoken, String(shown.field), [...path, name], tell)
    own.shows.set(name, shown as unknown as ShownName)
  }
}

/** What callers may set by that name is taken: nobody need take it out of the list then. */
function readRefuse(
  own: WritableWords,
  spoken: Spoken,
  refuse: unknown,
  path: Path,
  tell: Tell,
): void {
  if (refuse === undefined) return
  if (!Array.isArray(refuse)) tell(path, 'expected a list of names')
  else
    for (const name of refuse) {
      const field = publicField(spoken, String(name))
      if (!field || !isWritable(field, 'create')) own.refuses.add(String(name))
    }
}

function assertField(spoken: Spoken, name: string, path: Path, tell: Tell): void {
  if (publicField(spoken, name)) return
  const near = suggest(
    name,
    spoken.fields.map((field) => field.name),
  )
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  const owner = 'doctype' in spoken ? spoken.doctype : spoken.name
  tell(path, `${owner} has no field ${JSON.stringify(name)}${hint}`)
}
