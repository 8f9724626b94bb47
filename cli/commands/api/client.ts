import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { suggest } from '../../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { loadChecked } from '../../../engine/index.ts'
import { openApiSlice } from '../../../engine/schema/openapi/openapi-slice.ts'
import { Failure, UsageError } from '../../failure.ts'
import { writeText } from '../../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionSources,
  locateWorkspace,
  type WorkspaceFlags,
} from '../../workspace.ts'
import { CLIENT_GENERATORS, type ClientGenerator } from './generators.ts'

interface Flags extends WorkspaceFlags {
  readonly lang: string
  readonly resources: string
  readonly out: string
}

/** `svc client`: a client of some resources in another language, by a generator that is installed. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('client'))
    .description('generate a client of some resources in another language')
    .addOption(
      new Option('--lang <language>', 'language of the client')
        .choices(Object.keys(CLIENT_GENERATORS))
        .makeOptionMandatory(),
    )
    .requiredOption('--resources <slugs>', 'resources it is for, with commas')
    .option('--out <folder>', 'folder to write into', 'client')
    .action((flags: Flags) => {
      const { registry } = loadChecked(definitionSources(locateWorkspace(flags)))
      const only = chosen(registry, flags.resources)
      const generator = CLIENT_GENERATORS[flags.lang]!
      mkdirSync(flags.out, { recursive: true })
      writeText(JSON.stringify(openApiSlice(registry, only, {})), join(flags.out, 'openapi.json'))
      if (generator.config) {
        const [file, text] = generator.config
        writeText(text, join(flags.out, file))
      }
      generate(generator, flags.out)
    })
}

function chosen(registry: Registry, slugs: string): readonly DocTypeDefinition[] {
  const named = slugs.split(',').flatMap((slug) => slug.trim() || [])
  if (named.length === 0) throw new UsageError('--resources: expected slugs with commas, got none')
  const only = named.map((slug) => {
    const found = registry.bySlug(slug)
    if (found) return found
    const known = registry.all.map((definition) => definition.slug)
    const near = suggest(slug, known)
    const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
    throw new UsageError(`--resources: there is no resource ${JSON.stringify(slug)}${hint}`)
  })
  return [...new Set(only)]
}

/** Runs the generator in the folder. Throws Failure where it is not installed, and where it fails. */
function generate({ command, args, install }: ClientGenerator, folder: string): void {
  const PATH = [resolve('node_modules/.bin'), process.env.PATH ?? ''].join(delimiter)
  const env = { ...process.env, PATH }
  const { error, status } = spawnSync(command, args, { cwd: folder, env, stdio: 'inherit' })
  if (error !== undefined) {
    throw new Failure(
      `${command} is not installed, so there is no client yet; what it needs stands in ${folder}. Install it and call this again: ${install}`,
    )
  }
  if (status !== 0) throw new Failure(`${command} failed with exit code ${status}`)
}
