import { metaSchemaJson } from '../../../engine/definition/grammar/meta-schema.ts'
import { loadVocabulary } from '../../../engine/definition/load/vocabulary.ts'
import type { Vocabulary } from '../../../engine/definition/model/vocabulary.ts'
import { reportSchemaJson } from '../../../engine/reports/declare/report-schema.ts'
import { referencePage } from '../../reference-page.ts'
import { writeText } from '../../terminal/output.ts'
import type { WorkspaceFlags } from '../../workspace.ts'
import { definitionFolders, locateWorkspace } from '../../workspace.ts'

/** The flags of `svc doctype schema`, as commander hands them over. */
export interface SchemaFlags extends WorkspaceFlags {
  readonly out?: string
  readonly reports?: boolean
  readonly markdown?: boolean
}

/** `svc doctype schema`: the JSON Schema that the first line of each YAML file names, of DocTypes or of reports. */
export function writeSchema({ out, reports, markdown, ...flags }: SchemaFlags): void {
  const vocabulary = loadVocabulary(definitionFolders(locateWorkspace(flags)))
  const write = markdown ? referencePage : reports ? reportSchemaText : schemaText
  writeText(write(vocabulary), out)
}

/** The schema as the text of `report.schema.json`. */
export function reportSchemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(reportSchemaJson(vocabulary), null, 2)}\n`
}

/** The schema as the text of `doctype.schema.json`. */
export function schemaText(vocabulary: Vocabulary): string {
  return `${JSON.stringify(metaSchemaJson(vocabulary), null, 2)}\n`
}
