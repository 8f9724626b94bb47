import { blockSchemaJson } from '../../../engine/definition/grammar/block-schema.ts'
import { metaSchemaJson } from '../../../engine/definition/grammar/meta-schema.ts'
import { loadVocabulary } from '../../../engine/definition/load/vocabulary.ts'
import type { Vocabulary } from '../../../engine/definition/model/vocabulary.ts'
import { reportBlockSchemaJson } from '../../../engine/reports/declare/report-block-schema.ts'
import { reportSchemaJson } from '../../../engine/reports/declare/report-schema.ts'
import { referencePage } from '../../reference-page.ts'
import { writeText } from '../../terminal/output.ts'
import type { WorkspaceFlags } from '../../workspace.ts'
import { definitionFolders, locateWorkspace } from '../../workspace.ts'

/** The flags of `svc doctype schema`, as commander hands them over. */
export interface SchemaFlags extends WorkspaceFlags {
  readonly out?: string
  readonly reports?: boolean
  readonly blocks?: boolean
  readonly reportBlocks?: boolean
  readonly markdown?: boolean
}

/** `svc doctype schema`: the JSON Schema that the first line of each YAML file names, of DocTypes, of reports or of the blocks of either. */
export function writeSchema({ out, ...flags }: SchemaFlags): void {
  const vocabulary = loadVocabulary(definitionFolders(locateWorkspace(flags)))
  writeText(writerOf(flags)(vocabulary), out)
}

function writerOf({
  reports,
  blocks,
  reportBlocks,
  markdown,
}: SchemaFlags): (vocabulary: Vocabulary) => string {
  if (markdown) return referencePage
  if (reports) return reportSchemaText
  if (reportBlocks) return reportBlockSchemaText
  return blocks ? blockSchemaText : schemaText
}

/** The schema as the text of `report-block.schema.json`. */
function reportBlockSchemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(reportBlockSchemaJson(vocabulary), null, 2)}\n`
}

/** The schema as the text of `block.schema.json`. */
function blockSchemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(blockSchemaJson(vocabulary), null, 2)}\n`
}

/** The schema as the text of `report.schema.json`. */
export function reportSchemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(reportSchemaJson(vocabulary), null, 2)}\n`
}

/** The schema as the text of `doctype.schema.json`. */
export function schemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(metaSchemaJson(vocabulary), null, 2)}\n`
}
