import type { Command } from 'commander'
import { addWorkspaceOptions, collect, type WorkspaceFlags } from '../workspace.ts'
import { checkDocTypes } from './doctype/check.ts'
import { type DiffFlags, diffDocTypes } from './doctype/diff.ts'
import { listDocTypes } from './doctype/list.ts'
import { type NewDocTypeFlags, newDocType } from './doctype/new.ts'
import { type SchemaFlags, writeSchema } from './doctype/schema.ts'
import { type ShowFlags, showDocType } from './doctype/show.ts'

/** `svc doctype …`: makes, checks, compares and shows the YAML that everything else comes from. */
export function register(program: Command): void {
  const doctype = program
    .command('doctype')
    .description('make, check and show DocTypes (kinds of records)')

  addWorkspaceOptions(doctype.command('new <name>'))
    .description('write the YAML of a new DocType into --doctypes (default DATA/doctypes)')
    .option('--module <module>', 'module it belongs to', 'setup')
    .option(
      '--field <spec>',
      'name:type[:options][,required][,filterable][,createOnly]; may be repeated, options of a select are separated by |',
      collect,
    )
    .option('--submittable', 'records are drafts until they are submitted')
    .option('--json', 'print {doctype, slug, module, file, example} as JSON')
    .action((name: string, flags: NewDocTypeFlags) => newDocType(name, flags))

  addWorkspaceOptions(doctype.command('check [folder]'))
    .description(
      'find every mistake, as file:line:column: message; a folder is checked as an overlay',
    )
    .option('--json', 'print {ok, doctypes, folders, problems, warnings} as JSON')
    .action((folder: string | undefined, flags: WorkspaceFlags & { readonly json?: boolean }) =>
      checkDocTypes(folder, flags),
    )

  doctype
    .command('diff <old> [new]')
    .description(
      'say what differs between two folders of DocTypes, or between the shipped ones and a folder, as a release note',
    )
    .option('--alone', 'the folders hold all there is: they are not laid over the shipped ones')
    .option('--json', 'print {differences, added, removed, changed} as JSON')
    .option('--exit-code', 'exit 1 when there are differences')
    .action((older: string, newer: string | undefined, flags: DiffFlags) =>
      diffDocTypes(older, newer, flags),
    )

  addWorkspaceOptions(doctype.command('list'))
    .description('list the DocTypes that are loaded')
    .option(
      '--json',
      'print [{doctype, slug, aliases, module, tier, submittable, fields, files}] as JSON',
    )
    .action((flags: WorkspaceFlags & { readonly json?: boolean }) => listDocTypes(flags))

  addWorkspaceOptions(doctype.command('show <name>'))
    .description('show one DocType by its name, slug or alias')
    .option('--json', 'print its whole definition as JSON')
    .option(
      '--flat',
      'print it as one file would say it, each key with the file and line it is from',
    )
    .action((name: string, flags: ShowFlags) => showDocType(name, flags))

  addWorkspaceOptions(doctype.command('schema'))
    .description('write the JSON Schema of the YAML, with which editors complete and check')
    .option('--out <file>', 'file to write; stdout without it')
    .option('--reports', 'that of reports')
    .option('--blocks', 'that of blocks')
    .option('--report-blocks', 'that of blocks for reports')
    .option('--markdown', 'every word of both as a page to read')
    .action((flags: SchemaFlags) => writeSchema(flags))
}
