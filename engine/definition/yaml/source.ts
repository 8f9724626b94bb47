import {
  createLocator,
  type Locator,
  type Path,
  type Place,
  type PlacePart,
  parseYaml,
} from './parse.ts'
import type { DefinitionProblem } from './problems.ts'
import type { ShapeProblem } from './shape-problem.ts'

/** One YAML file. `path` is how problems name it. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The content of a YAML file: keys with values of JSON. */
export type YamlMap = Readonly<Record<string, unknown>>

/** Place in a file. */
export interface FilePlace extends Place {
  readonly file: string
  /** Where the file is used, when it is that of a block. */
  readonly usedBy?: string
  /** Number of letters before the text that the loader put there, such as the `i.` of a copy. */
  readonly unwritten?: number
}

/** Place in a file where a block is used, and where the block around it is, if it is one. */
export interface Use {
  readonly file: SourceFile
  readonly path: Path
  readonly by?: UsedAt | undefined
}

/** Finder of a use, for who tells of a mistake: to look for its place parses the file. */
export type UsedAt = () => Use | undefined

/** File that parts of a DocType come from. */
export interface Origin {
  readonly file: SourceFile
  /** Path in the file of what the DocType has at a path; undefined for what cannot be of this file. */
  readonly pathOf: (path: Path) => Path | undefined
  /** Where it is used, of the file of a block. */
  readonly use?: UsedAt | undefined
  /** Number of letters before the text at a path that are not written there. */
  readonly unwritten?: (path: Path) => number
}

/** Place of a mistake in a text of a DocType, by the offset into it. */
export interface WrittenMistake {
  readonly doctype: string
  readonly path: Path
  readonly text: string
  readonly offset: number
}

/** A DocType as written, its blocks and overlays merged in; what could not be read is left out. */
export interface RawDocType {
  readonly doctype: string
  readonly data: YamlMap
  /** Files it came from: the base first, then what extends it, then those of its blocks. */
  readonly files: readonly SourceFile[]
  /** What of it comes from which of them. */
  readonly origins: readonly Origin[]
  /** Where a mistake in the text at a path was written, which may be in a let; undefined where that is the text itself. */
  readonly writtenAt?: (
    path: Path,
    text: string,
    offset: number,
    length: number,
  ) => WrittenMistake | undefined
  /** Paths of what was left out, each joined by NUL: complaints about their absence would be noise. */
  readonly removed: ReadonlySet<string>
}

/** Receiver of the mistakes of a DocType: where each stands, and what it is. */
export type Report = (path: Path, message: string, part?: 'key' | 'value') => void

/** A text as content, with its problems by line and column. */
export function readSource({ path, text }: SourceFile): {
  readonly data: unknown
  readonly problems: readonly DefinitionProblem[]
} {
  const { data, problems } = parseYaml(text)
  return { data, problems: problems.map((problem) => ({ file: path, ...problem })) }
}

/** Whether a value is a map of keys. */
export function isMap(value: unknown): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A path as one text. */
export function joinPath(path: Path): string {
  return path.join('\0')
}

/** A content with the values at these paths as texts: a number, true or false that stands for an expression. */
export function withTexts(data: YamlMap, paths: readonly Path[]): YamlMap {
  return paths.reduce((changed, path) => textAt(changed, path) as YamlMap, data)
}

function textAt(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return String(value)
  if (Array.isArray(value)) return value.with(Number(step), textAt(value[Number(step)], rest))
  const map = value as YamlMap
  return { ...map, [step]: textAt(map[step], rest) }
}

/** A copy of a file's content without what the shape check refused. */
export function withoutMistakes(data: YamlMap, problems: readonly ShapeProblem[]): YamlMap {
  if (problems.every(({ remove }) => remove === undefined)) return data
  const copy = structuredClone(data) as Record<string, unknown>
  for (const { remove = [] } of problems) {
    const last = remove[remove.length - 1]
    let parent: unknown = copy
    for (const step of remove.slice(0, -1))
      parent = (parent as Record<string | number, unknown> | undefined)?.[step]
    if (last === undefined || typeof parent !== 'object' || parent === null) continue
    // An entry of a list must not move the ones behind it: their paths are still to be looked up.
    if (Array.isArray(parent)) parent[Number(last)] = undefined
    else delete (parent as Record<string, unknown>)[String(last)]
  }
  return dropHoles(copy) as YamlMap
}

function dropHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(dropHoles)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dropHoles(item)]))
}

/** Finder of places in the files of one load; parses a file when the first place in it is asked for. */
export interface Places {
  at(file: SourceFile, path: Path, part: PlacePart): Place
  /** Whether a file has exactly this path, which costs much less than to tell its place. */
  has(file: SourceFile, path: Path): boolean
  /** The place of exactly this path; undefined where the file has none. */
  find(file: SourceFile, path: Path, part: PlacePart): Place | undefined
  /** The place in the last of the files that has the path; else that of the nearest part above it. */
  in(files: readonly SourceFile[], path: Path, part: PlacePart): FilePlace
}

export function createPlaces(): Places {
  const locators = new Map<SourceFile, Locator>()
  const contents = new Map<SourceFile, unknown>()

  function locatorOf(file: SourceFile): Locator {
    const known = locators.get(file)
    if (known) return known
    const made = createLocator(file.text)
    locators.set(file, made)
    return made
  }

  function has(file: SourceFile, path: Path): boolean {
    if (!contents.has(file)) contents.set(file, readSource(file).data)
    const part = path.reduce<unknown>(
      (at, step) => (at as Readonly<Record<string | number, unknown>> | undefined)?.[step],
      contents.get(file),
    )
    return part !== undefined
  }

  function find(files: readonly SourceFile[], path: Path, part: PlacePart): FilePlace {
    for (let length = path.length; length > 0; length -= 1) {
      for (const file of files.toReversed()) {
        const place = locatorOf(file).find(
          path.slice(0, length),
          length === path.length ? part : 'key',
        )
        if (place) return { file: file.path, ...place }
      }
    }
    return { file: files[0]?.path ?? '', line: 1, column: 1 }
  }

  return {
    at(file, path, part) {
      const { line, column } = find([file], path, part)
      return { line, column }
    },
    has,
    find: (file, path, part) => locatorOf(file).find(path, part),
    in: find,
  }
}
