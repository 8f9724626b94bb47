import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const ROOT = join(import.meta.dirname, '../../..')
const libraries = suite('libraries that a start can do without')

libraries('are imported by nothing that a server loads, but taken when they are needed', () => {
  const source = readFileSync(join(ROOT, 'engine/base/lazy-libraries.ts'), 'utf8')
  const lazy = new Set([...source.matchAll(/load\('([^']+)'\)/g)].map(([, name]) => name))
  assert.ok(lazy.has('yaml') && lazy.has('csv-parse') && lazy.has('marked'))
  const files = globSync('{engine,server,webhooks,hooks}/**/*.ts', { cwd: ROOT })
  assert.ok(files.length > 500)
  const imported = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^import (?!type )[^']*from '([^']+)'/gm)]
      .filter(([, name]) => lazy.has(name))
      .map(([, name]) => `${file}: ${name}`),
  )
  assert.equal(imported, [])
})

libraries.run()
