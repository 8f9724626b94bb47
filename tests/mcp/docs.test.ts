import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RESERVED_SLUGS } from '../../engine/definition/check/clashes.ts'
import type { ToolArguments } from '../../mcp/tool.ts'
import { SYSTEM_ROUTES } from '../../mcp/tool-arguments.ts'
import { TOOLS } from '../../mcp/tools.ts'
import { TOOL_SETTING_ROWS } from '../../server/settings/tool-settings.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const docs = suite('docs/agents.md')

docs('lists the tools with the requests they become', () => {
  const rows = [...page.matchAll(/^\| `(\w+_\w+)` \| `([A-Z]+ \S+)` \|/gm)]
  const args = { resource: 'RESOURCE', id: 'ID', slug: 'SLUG', data: {} } as ToolArguments
  assert.equal(
    rows.map(([, name, request]) => [name, request]),
    TOOLS.map(({ name, request }) => {
      const { method, path } = request(args)
      return [name, `${method} ${path.replace(/[A-Z]+/g, (word) => `{${word.toLowerCase()}}`)}`]
    }),
  )
})

docs('has settings of hosts that are JSON, with variables that exist', () => {
  const known = Object.values(TOOL_SETTING_ROWS).map(({ variable }) => variable)
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  assert.ok(blocks.length > 4)
  for (const text of blocks) {
    JSON.parse(text)
    for (const [, name = ''] of text.matchAll(/"(SVC_\w+)"/g)) assert.ok(known.includes(name), name)
  }
  for (const name of known) assert.match(page, `\`${name}\``)
})

docs('and the tools keep to the routes that the engine reserves', () => {
  assert.equal([...SYSTEM_ROUTES].sort(), [...RESERVED_SLUGS].sort())
})

docs.run()
