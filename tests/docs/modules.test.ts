import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../../engine/definition/load/load.ts'
import { hooks } from '../../hooks/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { registry } = loadDefinitions([join(ROOT, 'doctypes')], hooks)
const PAGES = globSync(join(ROOT, 'docs/modules/*.md'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

/** What the workspace keeps about itself is told elsewhere: docs/people.md, docs/setup.md. */
const OF_MODULES = registry.all.filter(({ module }) => module !== 'setup')

const pages = suite('pages of modules')

pages('name every DocType', () => {
  const missing = OF_MODULES.filter(({ doctype, label }) =>
    [doctype, label].every((name) => !PAGES.includes(name)),
  )
  assert.equal(
    missing.map(({ doctype }) => doctype),
    [],
  )
})

pages('name every event that a DocType has of its own', () => {
  const missing = OF_MODULES.flatMap(({ slug, behaviour }) =>
    Object.keys(behaviour.events ?? {})
      .filter((event) => !new RegExp(`\\b${slug}(?:\\s*\\.\\w+)*\\s*\\.${event}\\b`).test(PAGES))
      .map((event) => `${slug}.${event}`),
  )
  assert.equal(missing, [])
})

pages('name every report', () => {
  const reports = globSync(join(ROOT, 'doctypes/reports/*.yaml')).map((path) =>
    basename(path, '.yaml'),
  )
  assert.ok(reports.length > 50)
  assert.equal(
    reports.filter((name) => !PAGES.includes(`\`${name}\``)),
    [],
  )
})

pages.run()
