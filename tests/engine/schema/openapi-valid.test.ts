import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { openApiDocument } from '../../../engine/schema/openapi/openapi.ts'
import { hooks } from '../../../hooks/index.ts'
import { sampleWorkspace } from './sample-workspace.ts'

const SHIPPED = join(import.meta.dirname, '../../../doctypes')

const validity = suite('OpenAPI 3.1')

validity('of the shipped DocTypes is valid, without a warning', async () => {
  assert.equal(await problemsOf(loadDefinitions([SHIPPED], hooks).registry), [])
})

validity('of a workspace with custom DocTypes is valid, without a warning', async () => {
  assert.equal(await problemsOf(sampleWorkspace()), [])
})

validity('that is broken is found out', async () => {
  const { paths, ...rest } = openApiDocument(sampleWorkspace())
  const broken = { ...rest, paths: { ...paths, '/v1/x': { get: { responses: { '200': {} } } } } }
  assert.ok((await lint(JSON.stringify(broken))).length > 0)
})

validity.run()

function problemsOf(registry: Registry): Promise<string[]> {
  return lint(JSON.stringify(openApiDocument(registry)))
}

/** Errors and warnings of the linter's recommended rules, each with its place. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config })
  return problems.flatMap(({ severity, ruleId, message, location }) =>
    isOfAll(ruleId, message) ? [] : `${severity} ${ruleId}: ${message} at ${location[0]?.pointer}`,
  )
}

/** One path for all resources: a path for each would be a hundredth of the whole, and no id begins with `_`. */
function isOfAll(ruleId: string, message: string): boolean {
  return ruleId === 'no-ambiguous-paths' && message.includes('`/v1/{resource}/_')
}
