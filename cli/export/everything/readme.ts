import { versionLine } from '../../package.ts'
import type { TakenFiles } from './attached-files.ts'
import type { TakenResource } from './contents-tables.ts'

/** What was taken, and when. */
export interface Taken extends TakenFiles {
  readonly resources: readonly TakenResource[]
  readonly definitions: number
  /** Moments of the first reading and the last, ISO 8601. */
  readonly from: string
  readonly to: string
}

/** The text that says what is in the zip, what is not, and how it is read without this program. */
export function readme({ resources, files, missing, definitions, from, to }: Taken): string {
  const some = resources.filter(({ records }) => records > 0)
  const records = some.reduce((sum, one) => sum + one.records, 0)
  const rows = some.reduce((sum, one) => sum + one.rows, 0)
  return `Everything of a workspace, as plain data
========================================

Taken by ${versionLine()} between ${from} and ${to}.
No program of ours is needed to read it.

What is in it
-------------

resources.csv    every kind of record, with how many there are: ${records} records of ${some.length} kinds, with ${rows} rows of their tables
fields.csv       what each column means: its label, its type, and the kind of record that a link names
records/         the records of each kind, in the order they were made, twice:
  NAME.jsonl     one record a line as JSON (UTF-8), the rows of its tables within: nothing is lost in this form
  NAME.csv       the same as a table (UTF-8, RFC 4180): rows of tables stand beside their record, in columns
                 such as items.qty; further rows stand on lines of their own, on which the record's own cells are empty
files/           the ${files} uploaded files as they are, each in a folder named like its record in records/files.jsonl
definitions/     the ${definitions} files of definitions of this workspace's own, as YAML

Ledgers are kinds of records like others: what was posted is in them line by line.
Amounts are decimal numbers, dates YYYY-MM-DD, moments ISO 8601 in UTC. Links hold the id of the record they name.
People went on working while it was taken: a kind of record is as it was when its turn came. For one moment
of all of it take a backup (svc backup), which this is not: it cannot be restored.

What is left out
----------------

Secrets: passwords of people (not even their hashes), second factors, sessions, API keys, secrets of webhooks and
mail, fields that are kept encrypted, links that let in who has them.
What only runs this program: webhooks and their deliveries, mail that waits, jobs, the log of events, personal settings.
${missing.length === 0 ? '' : `\nMissing\n-------\n\nThe contents of these files were not where they are kept:\n${missing.join('\n')}\n`}`
}
