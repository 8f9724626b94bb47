import { suggest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import type { Draft, World } from '../check/check-sources.ts'
import { checkClashes } from '../check/clashes.ts'
import { checkReferences } from '../check/cross-check.ts'
import { metaSchemaJson } from '../grammar/meta-schema.ts'
import { createShapeCheck, type ShapeCheck } from '../grammar/shape.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import { createRegistry, type Registry } from '../model/registry.ts'
import { type Hooks, NO_VOCABULARY, type Vocabulary } from '../model/vocabulary.ts'
import { normaliseDocType } from '../normalise/normalise.ts'
import { mergeOverlay } from '../normalise/overlay.ts'
import type { Path, Place } from '../yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../yaml/problems.ts'
import {
  createPlaces,
  isMap,
  joinPath,
  type Places,
  type RawDocType,
  type Report,
  readSource,
  type SourceFile,
  withoutMistakes,
  type YamlMap,
} from '../yaml/source.ts'
import { deepFreeze } from './freeze.ts'
import { readWithVocabulary } from './vocabulary.ts'

/** Place in a file where something of a DocType is written. */
export type FilePlace = Place & { readonly file: string }

export interface LoadedDefinitions {
  readonly registry: Registry
  /**
   * Place where the text at a path of a DocType (`['fields', 'qty', 'formula']`) begins, behind its quote where it
   * has one, for problems found later; of the nearest part above it when it is not there. undefined for an unknown
   * DocType.
   */
  readonly positions: (doctype: string, path: Path) => FilePlace | undefined
}

/**
 * Loads all DocTypes of these folders, later folders over earlier ones (doctypes/README.md, Files and
 * folders). Throws DefinitionErrors with every mistake of every file at once; nothing half-loaded comes out.
 */
export function loadDefinitions(
  folders: readonly string[],
  hooks: Hooks = NO_VOCABULARY.hooks,
): LoadedDefinitions {
  const { layers, vocabulary, problems } = readWithVocabulary(folders, hooks)
  return loadLayers(layers, vocabulary, problems)
}

/** The same from one folder's files in memory, for tests. */
export function loadDefinitionTexts(
  files: readonly SourceFile[],
  vocabulary: Vocabulary = NO_VOCABULARY,
): LoadedDefinitions {
  return loadLayers([files], vocabulary, [])
}

/** The files of each folder, in the order of the folders. */
type Layers = readonly (readonly SourceFile[])[]

/** Loads DocTypes from files that have been read; `definitions` has the child ones too. Throws as `loadDefinitions`. */
export function loadLayers(
  layers: Layers,
  vocabulary: Vocabulary,
  found: readonly DefinitionProblem[],
): LoadedDefinitions & { readonly definitions: readonly DocTypeDefinition[] } {
  const places = createPlaces()
  const problems = [...found]
  const { raws, names } = mergeLayers(
    layers,
    createShapeCheck(metaSchemaJson(vocabulary)),
    places,
    problems,
  )
  const drafts = normaliseAll(raws, places, problems)
  const world: World = { drafts, names, vocabulary }
  for (const draft of drafts.values())
    checkReferences(draft, world, reporter(draft.raw, places, problems))
  checkClashes([...drafts.values()], (draft, path, message) =>
    reporter(draft.raw, places, problems)(path, message),
  )
  if (problems.length > 0) throw new DefinitionErrors(withoutRepeats(problems))
  const definitions = [...drafts.values()].map(({ definition }) => deepFreeze(definition))
  return {
    definitions,
    registry: createRegistry(definitions, vocabulary),
    positions: positionsIn(raws, places),
  }
}

/** Positions in files that have loaded without a mistake before; they are read when the first is asked for. */
export function latePositions(layers: Layers): LoadedDefinitions['positions'] {
  let find: LoadedDefinitions['positions'] | undefined
  return (doctype, path) => {
    if (!find) {
      const places = createPlaces()
      // Which names they use was checked then; it is places that are looked for.
      const checkShape = createShapeCheck(metaSchemaJson(NO_VOCABULARY))
      find = positionsIn(mergeLayers(layers, checkShape, places, []).raws, places)
    }
    return find(doctype, path)
  }
}

function positionsIn(raws: Merged['raws'], places: Places): LoadedDefinitions['positions'] {
  return (doctype, path) => {
    const raw = raws.get(doctype)
    return raw && places.in(raw.files, path, 'text')
  }
}

interface Merged {
  readonly raws: ReadonlyMap<string, RawDocType>
  /** Every name a file claims, also of files that could not be used. */
  readonly names: ReadonlySet<string>
}

interface ReadFile {
  readonly file: SourceFile
  readonly doctype: string
  readonly data: YamlMap
  readonly removed: readonly string[]
}

function mergeLayers(
  layers: Layers,
  checkShape: ShapeCheck,
  places: Places,
  problems: DefinitionProblem[],
): Merged {
  const raws = new Map<string, RawDocType>()
  const names = new Set<string>()
  for (const layer of layers) {
    const files: ReadFile[] = []
    for (const file of layer) {
      const read = readOne(file, checkShape, places, problems)
      if (!read) continue
      files.push(read)
      names.add(read.doctype)
    }
    const seen = new Map<string, SourceFile>()
    // Overlays come after the DocTypes of their own folder, whatever the files are called.
    for (const read of files.toSorted(
      (a, b) => Number(a.data.extend === true) - Number(b.data.extend === true),
    )) {
      addFile(read, raws, seen, places, problems)
    }
  }
  return { raws, names }
}

function readOne(
  file: SourceFile,
  checkShape: ShapeCheck,
  places: Places,
  problems: DefinitionProblem[],
): ReadFile | undefined {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0) return undefined
  const shape = checkShape(data)
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  if (!isMap(data)) return undefined
  const kept = withoutMistakes(data, shape)
  if (typeof kept.doctype !== 'string') return undefined
  const removed = shape.flatMap(({ remove }) => (remove ? [joinPath(remove)] : []))
  return { file, doctype: kept.doctype, data: kept, removed }
}

function addFile(
  { file, doctype, data, removed }: ReadFile,
  raws: Map<string, RawDocType>,
  seen: Map<string, SourceFile>,
  places: Places,
  problems: DefinitionProblem[],
): void {
  const complain = (path: Path, message: string): void => {
    problems.push({ file: file.path, ...places.at(file, path, 'value'), message })
  }
  const base = raws.get(doctype)
  if (data.extend === true) {
    if (!base) {
      const near = suggest(doctype, raws.keys())
      complain(
        ['doctype'],
        `no DocType ${JSON.stringify(doctype)} to extend${near === undefined ? '' : `; did you mean ${near}?`}`,
      )
      return
    }
    raws.set(doctype, {
      doctype,
      data: mergeOverlay(base.data, data),
      files: [...base.files, file],
      removed: base.removed.union(new Set(removed)),
    })
    return
  }
  const twin = seen.get(doctype)
  if (twin)
    complain(
      ['doctype'],
      `${doctype} is already declared in ${twin.path}; remove one, or extend it with extend: true`,
    )
  seen.set(doctype, file)
  raws.set(doctype, { doctype, data, files: [file], removed: new Set(removed) })
}

/** Normalises all DocTypes, the child ones first: tables of the others are made of their fields. */
function normaliseAll(
  raws: ReadonlyMap<string, RawDocType>,
  places: Places,
  problems: DefinitionProblem[],
): Map<string, Draft> {
  const isChild = ({ data }: RawDocType): boolean => data.child === true
  const childNames = [...raws.values()].filter(isChild).map(({ doctype }) => doctype)
  const children = new Map<string, readonly Field[]>()
  const drafts = new Map<string, Draft>()
  const normalise = (raw: RawDocType): DocTypeDefinition =>
    normaliseDocType(raw, {
      childFields: (name) => children.get(name),
      childNames,
      report: reporter(raw, places, problems),
    })
  for (const raw of [...raws.values()].toSorted(
    (a, b) => Number(isChild(b)) - Number(isChild(a)),
  )) {
    const definition = normalise(raw)
    if (definition.isChild) children.set(raw.doctype, definition.fields)
    drafts.set(raw.doctype, { raw, definition })
  }
  return drafts
}

function reporter(raw: RawDocType, places: Places, problems: DefinitionProblem[]): Report {
  return (path, message, part = 'value') => {
    for (let length = 1; length <= path.length; length += 1) {
      if (raw.removed.has(joinPath(path.slice(0, length)))) return
    }
    problems.push({ ...places.in(raw.files, path, part), message })
  }
}

function withoutRepeats(problems: readonly DefinitionProblem[]): DefinitionProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ file, line, column, message }) => {
    const key = [file, line, column, message].join('\0')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
