import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileProblem } from '../../../engine/base/file-error.ts'
import { readFolders } from '../../../engine/definition/load/folders.ts'
import { loadVocabulary } from '../../../engine/definition/load/vocabulary.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Vocabulary } from '../../../engine/definition/model/vocabulary.ts'
import { kebab } from '../../../engine/definition/normalise/slug.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { isMap, readSource } from '../../../engine/definition/yaml/source.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import { publicFields } from '../../../engine/fields/public-fields.ts'
import { loadChecked } from '../../../engine/index.ts'
import { mustBeSent } from '../../../engine/schema/shapes/json-schema.ts'
import { Failure, UsageError } from '../../failure.ts'
import { parseFieldSpec } from '../../field-spec.ts'
import { composeDocType, type NewDocType } from '../../new-doctype.ts'
import { printJson, shellQuoted } from '../../terminal/output.ts'
import {
  definitionFolders,
  definitionSources,
  locateWorkspace,
  prepareFolders,
  type Workspace,
  type WorkspaceFlags,
} from '../../workspace.ts'
import { schemaText } from './schema.ts'

export interface NewDocTypeFlags extends WorkspaceFlags {
  readonly module: string
  readonly field?: readonly string[]
  readonly submittable?: boolean
  readonly json?: boolean
}

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$/

/**
 * `svc doctype new`: writes one YAML file that works after a restart, or nothing. Throws UsageError for a
 * wrong name, module or field, Failure where there is such a DocType or file already.
 */
export function newDocType(doctype: string, flags: NewDocTypeFlags): void {
  const workspace = locateWorkspace(flags)
  const vocabulary = loadVocabulary(definitionFolders(workspace))
  const asked = readRequest(doctype, flags, vocabulary)
  const folder = flags.doctypes?.at(-1) ?? join(workspace.dataFolder, 'doctypes')
  const file = join(folder, asked.module, `${kebab(doctype)}.yaml`)
  const text = composeDocType(asked)
  const definition = checkBeside(workspace, asked, file, text)
  prepareFolders(workspace)
  mkdirSync(dirname(file), { recursive: true })
  writeNew(file, text)
  const schema = join(folder, 'doctype.schema.json')
  if (!existsSync(schema)) writeFileSync(schema, schemaText(vocabulary))
  if (flags.json) {
    const { slug, module } = definition
    printJson({ doctype, slug, module, file, example: exampleBody(definition) })
  } else printNextSteps(definition, file)
}

function readRequest(
  doctype: string,
  flags: NewDocTypeFlags,
  { modules, tiers }: Vocabulary,
): NewDocType {
  if (!NAME.test(doctype)) {
    throw new UsageError(
      `expected the name of a DocType in words of letters and digits, such as "Fleet Vehicle", got ${JSON.stringify(doctype)}`,
    )
  }
  if (!modules.has(flags.module)) {
    const names = [...modules.keys()].join(' ')
    throw new UsageError(
      `--module ${flags.module}: expected one of ${names} (declared in modules.yaml)`,
    )
  }
  const fields = (flags.field ?? []).map(parseFieldSpec)
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`--field ${twice} is given twice`)
  const submittable = flags.submittable === true
  return { doctype, module: flags.module, tiers, submittable, fields }
}

/**
 * Loads the new file together with all others before it is written: a server with --watch never sees a
 * broken one. Throws Failure with what is wrong in it, DefinitionErrors with mistakes of other files.
 */
function checkBeside(
  workspace: Workspace,
  { doctype, module }: NewDocType,
  file: string,
  text: string,
): DocTypeDefinition {
  const sources = definitionSources(workspace)
  const folders = sources.doctypes
  const there = filesOf(doctype, folders)
  if (there.length > 0) {
    throw new Failure(
      `there is a DocType ${doctype} already, in ${there.join(', ')}; a file with \`extend: true\` changes it`,
    )
  }
  if (existsSync(file)) throw new Failure(`${file} is there already and stays as it is`)
  const trial = mkdtempSync(join(tmpdir(), 'svc-doctype-'))
  try {
    mkdirSync(join(trial, module))
    writeFileSync(join(trial, module, 'new.yaml'), text)
    const { registry } = loadChecked({ ...sources, doctypes: [...folders, trial] })
    return registry.byDoctype(doctype) as DocTypeDefinition
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    // Throws where the mistakes are there without the new file.
    loadChecked(sources)
    const messages = error.problems.map(({ message }) => message)
    throw new Failure(`nothing was written: ${messages.join('; ')}`, { cause: error })
  } finally {
    rmSync(trial, { recursive: true })
  }
}

/** The files that say they are about a DocType, which a later one of that name would take the place of. */
function filesOf(doctype: string, folders: readonly string[]): string[] {
  const files = readFolders(folders).layers.flat()
  const about = files.filter((file) => {
    const { data } = readSource(file)
    return isMap(data) && data.doctype === doctype
  })
  return about.map(({ path }) => path)
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${fileProblem(error)}`, { cause: error })
  }
}

function printNextSteps(definition: DocTypeDefinition, file: string): void {
  const { doctype, slug } = definition
  const address = `http://127.0.0.1:8000/v1/${slug}`
  const path = relative('.', file)
  console.log(`wrote ${path.startsWith('..') ? file : path}: ${doctype}, resource ${slug}

Next:
  1. edit the file where you want more; \`svc doctype check\` finds mistakes
  2. restart \`svc serve\` (with --watch it is loaded already)
  3. curl -X POST ${address} \\
       -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
       -d ${shellQuoted(JSON.stringify(exampleBody(definition)))}
     curl ${address} -H "Authorization: Bearer $KEY"`)
}

function exampleBody(definition: DocTypeDefinition): object {
  const fields = publicFields(definition)
  const sent = fields.filter(mustBeSent)
  return Object.fromEntries(
    (sent.length > 0 ? sent : fields.slice(0, 1)).map((field) => [
      field.name,
      fieldType(field.type).example(field, 1),
    ]),
  )
}
