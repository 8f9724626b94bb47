import { fileSystem } from '../../base/packaged-files.ts'
import type { Parse } from '../../expression/syntax/parse.ts'
import { locate } from '../../expression/tree/problem.ts'
import { checkClashes } from '../check/clashes.ts'
import { checkReferences } from '../check/cross-check.ts'
import { createWorld, type Draft } from '../check/world.ts'
import { PIECES } from '../grammar/piece-schema.ts'
import { makeColumns } from '../made/make-columns.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import { createRegistry, type Registry } from '../model/registry.ts'
import { type Hooks, NO_VOCABULARY, type Vocabulary } from '../model/vocabulary.ts'
import { checksumOf, declaredBy, normaliseDocType } from '../normalise/normalise.ts'
import type { Rows } from '../normalise/normalise-field.ts'
import { placeIn } from '../yaml/origins.ts'
import type { Path } from '../yaml/parse.ts'
import { DefinitionErrors, type DefinitionProblem } from '../yaml/problems.ts'
import {
  createPlaces,
  type FilePlace,
  joinPath,
  type Places,
  type RawDocType,
  type Report,
  type SourceFile,
  type YamlMap,
} from '../yaml/source.ts'
import { withDigest } from './digest.ts'
import { deepFreeze } from './freeze.ts'
import { inheritRights } from './inherit-rights.ts'
import { type Layers, type Merged, mergeLayers } from './merge-layers.ts'
import { readWithVocabulary } from './vocabulary.ts'

export interface LoadedDefinitions {
  readonly registry: Registry
  /**
   * Place where the text at a path of a DocType (`['fields', 'qty', 'formula']`) begins, behind its quote where it
   * has one, for problems found later; of the nearest part above it when it is not there. undefined for an unknown
   * DocType.
   */
  readonly positions: (doctype: string, path: Path) => FilePlace | undefined
  /** Place of a mistake in such a text, with the text as its author wrote it, which may be that of a let. */
  readonly mistakeAt: (
    doctype: string,
    path: Path,
    mistake: TextMistake,
  ) => (FilePlace & { readonly source: string }) | undefined
}

/** Mistake in the text of an expression. */
export interface TextMistake {
  readonly source: string
  readonly offset: number
  /** Letters that it is about; 0 where nobody knows. */
  readonly length: number
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

/** Loads DocTypes from files that have been read; `definitions` has the child ones too. Throws as `loadDefinitions`. */
export function loadLayers(
  layers: Layers,
  vocabulary: Vocabulary,
  found: readonly DefinitionProblem[],
  parse?: Parse,
): LoadedDefinitions & { readonly definitions: readonly DocTypeDefinition[] } {
  const places = createPlaces()
  const problems = [...found]
  const { raws, names } = mergeLayers(layers, vocabulary, places, problems, parse)
  const drafts = inheritRights(normaliseAll(raws, places, problems), ({ raw }) =>
    reporter(raw, places, problems),
  )
  const world = createWorld({ drafts, names, vocabulary })
  for (const draft of drafts.values())
    checkReferences(draft, world, reporter(draft.raw, places, problems))
  checkClashes([...drafts.values()], (draft, path, message) =>
    reporter(draft.raw, places, problems)(path, message),
  )
  if (problems.length > 0) throw new DefinitionErrors(problems)
  const complain = (doctype: string, path: Path, message: string): void =>
    reporter(raws.get(doctype)!, places, problems)(path, message)
  const definitions = makeColumns(drafts, complain, parse).map((definition) =>
    deepFreeze(withDigest(definition)),
  )
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return {
    definitions,
    registry: createRegistry(definitions, vocabulary),
    ...positionsIn(raws, places),
  }
}

type Positions = Pick<LoadedDefinitions, 'positions' | 'mistakeAt'>

/** Positions in files that have loaded without a mistake before; they are read when the first is asked for. */
export function latePositions(layers: Layers): Positions {
  let found: Positions | undefined
  const find = (): Positions => {
    if (!found) {
      const places = createPlaces()
      // Which names they use was checked then; it is places that are looked for.
      found = positionsIn(mergeLayers(layers, NO_VOCABULARY, places, []).raws, places)
    }
    return found
  }
  return {
    positions: (doctype, path) => find().positions(doctype, path),
    mistakeAt: (doctype, path, mistake) => find().mistakeAt(doctype, path, mistake),
  }
}

/** A DocType as one file would say it, and where each of its parts is written. */
export interface WrittenDocType {
  readonly data: YamlMap
  placeOf(path: Path): FilePlace
}

/** The DocTypes of folders that load without a mistake, by name, with their blocks and overlays merged in. */
export function writtenDocTypes(folders: readonly string[]): ReadonlyMap<string, WrittenDocType> {
  const places = createPlaces()
  const { layers, vocabulary } = readWithVocabulary(folders, NO_VOCABULARY.hooks)
  const { raws } = mergeLayers(layers, vocabulary, places, [])
  return new Map(
    [...raws].map(([doctype, { data, origins }]): [string, WrittenDocType] => [
      doctype,
      { data: withoutPieces(data), placeOf: (path) => placeIn(origins, path, 'key', places) },
    ]),
  )
}

/** The files of a DocType and of its blocks as they are now, with the checksum that it would have by them. */
export interface DocTypeFiles {
  readonly sources: readonly SourceFile[]
  readonly checksum: string
}

/** Reads the files that a DocType was loaded from; undefined where one of them cannot be read. */
export function readDocTypeFiles({ files }: DocTypeDefinition): DocTypeFiles | undefined {
  const sources = files.map(sourceAt)
  if (!sources.every((source) => source !== undefined)) return undefined
  return { sources, checksum: checksumOf(sources) }
}

/** One DocType as its files say it, in the order in which a definition names them; undefined where none declares it. */
export function writtenDocType(
  doctype: string,
  sources: readonly SourceFile[],
): WrittenDocType | undefined {
  const places = createPlaces()
  // What was loaded later stands over what was before, as it did then.
  const layers = sources.map((source) => [source])
  const raw = mergeLayers(layers, NO_VOCABULARY, places, []).raws.get(doctype)
  return raw && { data: raw.data, placeOf: (path) => placeIn(raw.origins, path, 'key', places) }
}

function sourceAt(path: string): SourceFile | undefined {
  try {
    return { path, text: new TextDecoder().decode(fileSystem.bytes(path)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** The parts without the words whose blocks have been taken in. */
function withoutPieces(data: YamlMap): YamlMap {
  return Object.fromEntries(Object.entries(data).filter(([word]) => !(word in PIECES)))
}

function positionsIn(raws: Merged['raws'], places: Places): Positions {
  return {
    positions(doctype, path) {
      const raw = raws.get(doctype)
      return raw && placeIn(raw.origins, path, 'text', places)
    },
    mistakeAt(doctype, path, { source, offset, length }) {
      const raw = raws.get(doctype)
      const at = raw?.writtenAt?.(path, source, offset, length)
      const from = at ?? { doctype, path, text: source, offset }
      const origins = raws.get(from.doctype)?.origins
      if (!origins) return undefined
      const { unwritten = 0, ...place } = placeIn(origins, from.path, 'text', places)
      const written = Math.max(0, from.offset - unwritten)
      return { ...locate(written, from.text, place), source: from.text }
    },
  }
}

/** Normalises all DocTypes, the child ones first: tables of the others are made of their fields. */
function normaliseAll(
  raws: ReadonlyMap<string, RawDocType>,
  places: Places,
  problems: DefinitionProblem[],
): Map<string, Draft> {
  const isChild = ({ data }: RawDocType): boolean => data.child === true
  const childNames = [...raws.values()].filter(isChild).map(({ doctype }) => doctype)
  const children = new Map<string, Rows>()
  const declared = declarations(raws)
  const drafts = new Map<string, Draft>()
  const normalise = (raw: RawDocType): DocTypeDefinition =>
    normaliseDocType(raw, {
      childFields: (name) => children.get(name),
      childNames,
      declared: (name) => declared.get(name) ?? [],
      isDocType: (name) => raws.has(name),
      report: reporter(raw, places, problems),
    })
  for (const raw of [...raws.values()].toSorted(
    (a, b) => Number(isChild(b)) - Number(isChild(a)),
  )) {
    const definition = normalise(raw)
    if (definition.isChild) children.set(raw.doctype, rowsOf(definition))
    drafts.set(raw.doctype, { raw, definition })
  }
  return drafts
}

/** Names of DocTypes by what they declare. */
function declarations(raws: ReadonlyMap<string, RawDocType>): ReadonlyMap<string, string[]> {
  const declared = new Map<string, string[]>()
  for (const doctype of [...raws.keys()].sort()) {
    for (const name of new Set(declaredBy(raws.get(doctype)!.data))) {
      const doctypes = declared.get(name)
      if (doctypes) doctypes.push(doctype)
      else declared.set(name, [doctype])
    }
  }
  return declared
}

function rowsOf({ fields, finds }: DocTypeDefinition): Rows {
  return finds ? { fields, finds } : { fields }
}

function reporter(raw: RawDocType, places: Places, problems: DefinitionProblem[]): Report {
  return (path, message, part = 'value') => {
    for (let length = 1; length <= path.length; length += 1) {
      if (raw.removed.has(joinPath(path.slice(0, length)))) return
    }
    problems.push({ ...placeIn(raw.origins, path, part, places), message })
  }
}
