import { metaSchemaJson } from '../../../engine/definition/grammar/meta-schema.ts'
import { reportSchemaJson } from '../../../engine/reports/declare/report-schema.ts'
import { referencePage } from '../../reference-page.ts'
import { writeText } from '../../terminal/output.ts'

/** The flags of `svc doctype schema`, as commander hands them over. */
export interface SchemaFlags {
  readonly out?: string
  readonly reports?: boolean
  readonly markdown?: boolean
}

/** `svc doctype schema`: the JSON Schema that the first line of each YAML file names, of DocTypes or of reports. */
export function writeSchema({ out, reports, markdown }: SchemaFlags): void {
  writeText(markdown ? referencePage() : reports ? reportSchemaText() : schemaText(), out)
}

/** The schema as the text of `report.schema.json`. */
export function reportSchemaText(): string {
  return `${JSON.stringify(reportSchemaJson(), null, 2)}\n`
}

/** The schema as the text of `doctype.schema.json`. */
export function schemaText(): string {
  return `${JSON.stringify(metaSchemaJson(), null, 2)}\n`
}
