import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STATUS_OF_CODE } from '../../../engine/base/errors.ts'
import { PROBLEM_CODES } from '../../../engine/base/problem-codes.ts'
import { openApiDocument } from '../../../engine/schema/openapi/openapi.ts'
import { schemaCompiler } from './openapi-reader.ts'
import { sampleWorkspace } from './sample-workspace.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.slice(0, section.indexOf('\n')), section]),
)
const validate = schemaCompiler(openApiDocument(sampleWorkspace()))({
  $ref: '#/components/schemas/Error',
})

const errors = suite('docs/errors.md')

errors('has a section for every code and for nothing else', () => {
  assert.equal([...sections.keys()], Object.keys(STATUS_OF_CODE))
})

errors('shows every code of a problem with what it says, in the order of the table', () => {
  const shown = page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)
  assert.equal(
    [...shown].map(([, code, meaning]) => [code, meaning]),
    Object.entries(PROBLEM_CODES),
  )
})

errors('shows no body that the description of the API does not know, suggestions too', () => {
  const bodies = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!))
  for (const body of bodies) {
    validate(body)
    assert.is(validate.errors, null, JSON.stringify(body))
  }
  const details = bodies.flatMap(({ error }) => error.details ?? [])
  const suggesting = details.filter(({ suggestions }) => suggestions !== undefined)
  assert.equal(
    suggesting.map(({ code, suggestions }) => [code, suggestions]),
    [['no_such_record', [{ id: 'CUST-00001', title: 'Acme Ltd' }]]],
  )
  validate({ error: { ...bodies[0].error, details: [{ ...suggesting[0], suggestions: ['x'] }] } })
  assert.is(validate.errors?.[0]?.instancePath, '/error/details/0/suggestions/0')
})

for (const [code, status] of Object.entries(STATUS_OF_CODE)) {
  errors(`says when ${code} comes, what to do, and shows a body of it`, () => {
    const section = sections.get(code) ?? ''
    assert.match(section, `**${status}.**`)
    assert.match(section, '**What to do:**')
    const body: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '')
    validate(body)
    assert.is(validate.errors, null)
    const { error } = body as { error: { code: string; status: number } }
    assert.equal([error.code, error.status], [code, status])
    assert.match(page, `| ${status} | [${code}](#${code.toLowerCase()}) |`)
  })
}

errors.run()
