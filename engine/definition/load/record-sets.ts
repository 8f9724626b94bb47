import { join } from 'node:path'
import { fileSystem } from '../../base/packaged-files.ts'
import { DefinitionErrors } from '../yaml/problems.ts'
import { createPlaces, isMap, type YamlMap } from '../yaml/source.ts'
import { readWorkspaceFile, type WorkspaceFile } from './workspace-file.ts'

/** Folder of the sets in a folder of DocTypes; each folder in it is a kind of set (`charts`). */
export const RECORD_SETS = 'setup'

/** Folder beside the kinds of sets: how other systems' clients speak of the DocTypes. */
export const DIALECTS = 'dialects'

/** Rows by the table they are for. */
export type RowsByTable = Readonly<Record<string, readonly YamlMap[]>>

/** Records that come together, such as a chart of accounts: one file below `setup/`. */
export interface RecordSet {
  readonly path: string
  /** Its text, for the places of mistakes. */
  readonly text: string
  /** Name it is chosen by; the name of the file is made of it. */
  readonly name: string
  readonly description: string | undefined
  /** Countries it is proposed for. */
  readonly countries: readonly string[]
  /** Records by DocType, in the order they are made. */
  readonly records: Readonly<Record<string, readonly YamlMap[]>>
  /** Rows that records get which are there already: DocType → name → table → rows. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, RowsByTable>>>>
  /** Fields of the record that the set is made for. */
  readonly sets: YamlMap
  /** Names that records of other sets use → the one meant in this set; by DocType. */
  readonly also: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * The set of that kind and name in the last of the folders that has one; undefined where none has. Throws
 * DefinitionErrors with the places of what is wrong in it.
 */
export function readRecordSet(
  folders: readonly string[],
  kind: string,
  name: string,
): RecordSet | undefined {
  const file = readWorkspaceFile(folders, join(RECORD_SETS, kind, `${fileNameOf(name)}.yaml`))
  const set = file && setOf(file)
  return set?.name === name ? set : undefined
}

/** All sets of a kind, by the names of their files; a later folder's file takes the place of an earlier one's. */
export function listRecordSets(folders: readonly string[], kind: string): readonly RecordSet[] {
  const names = new Set<string>()
  for (const folder of folders) {
    const path = join(folder, RECORD_SETS, kind)
    if (!fileSystem.exists(path)) continue
    for (const { name, isFolder } of fileSystem.list(path))
      if (!isFolder && name.endsWith('.yaml') && !name.startsWith('.')) names.add(name)
  }
  return [...names]
    .sort()
    .map((name) => setOf(readWorkspaceFile(folders, join(RECORD_SETS, kind, name))!))
}

/** Name of the file of a set: `Côte d’Ivoire` → `cote-d-ivoire`. */
function fileNameOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

const isRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isMap)
const isNames = (value: unknown): boolean =>
  isMap(value) && Object.values(value).every((one) => typeof one === 'string')
const everyOne = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  isMap(value) && Object.values(value).every(fits)

/** Content of each key of a file, in words and as a check. */
const KEYS: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  name: ['a text', (value) => typeof value === 'string'],
  description: ['a text', (value) => typeof value === 'string'],
  countries: [
    'a list of countries',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ],
  records: ['a list of records under each DocType', (value) => everyOne(value, isRecords)],
  rows: [
    'a list of rows under each table of a record, by its name, under each DocType',
    (value) => everyOne(value, (named) => everyOne(named, (one) => everyOne(one, isRecords))),
  ],
  sets: ['field: value', isMap],
  also: ['name: name under each DocType', (value) => everyOne(value, isNames)],
}

function setOf(file: WorkspaceFile): RecordSet {
  const { data, path, text } = file
  const problem = (at: readonly string[], message: string): DefinitionErrors =>
    new DefinitionErrors([{ ...createPlaces().in([file], at, 'value'), message }])
  if (!isMap(data) || (data.records === undefined && data.rows === undefined))
    throw problem([], 'expected records: with a list of records under each DocType')
  for (const [key, value] of Object.entries(data)) {
    const known = KEYS[key]
    if (!known) throw problem([key], `expected one of ${Object.keys(KEYS).join(', ')}`)
    if (!known[1](value)) throw problem([key], `expected ${known[0]}`)
  }
  const { name = '', description, countries = [], records = {} } = data
  const { rows = {}, sets = {}, also = {} } = data
  return { path, text, name, description, countries, records, rows, sets, also } as RecordSet
}
