/*
 * Preloaded into every test file; closes three holes of uvu 0.5.6 by changing its source as it is loaded.
 *
 * 1. It returns from inside a `finally`, so an error thrown by a `before`, `after.each` or similar hook is
 *    lost: the suite counts as "0 / 3" with exit code 0. It gets the `catch` it lacks, which says at once what
 *    was thrown: an `after` that stumbles over what `before` did not get to ends the process.
 * 2. Its report of an error whose `details` are no text throws, which hides the error and the tests after it.
 * 3. It says nothing about a suite whose `run()` was forgotten. `run()` empties a suite, so whichever has
 *    tests left at the end was never run.
 */
import { registerHooks } from 'node:module'

const CHANGES = [
  {
    before: "\t} finally {\n\t\tstate.__test__ = '';",
    insert:
      "\t} catch (err) {\n\t\tconst told = format('a hook of this suite', err, name);\n\t\tconsole.error(told);\n\t\terrors += told;\n",
  },
  {
    before: '\tif (details) str += GUTTER',
    insert:
      "\tif (details && typeof details !== 'string') details = JSON.stringify(details, null, 2);\n",
  },
  {
    before: "\tconst test = into(ctx, 'tests');",
    insert: '\tglobalThis.UVU_SUITES.push({ ctx, name });\n',
  },
]

globalThis.UVU_SUITES = []

process.on('exit', () => {
  for (const { ctx, name } of globalThis.UVU_SUITES) {
    const left = ctx.tests.length + ctx.only.length
    if (left === 0) continue
    console.error(`The suite "${name}" was never run, with ${left} tests: call its run().`)
    process.exitCode = 1
  }
})

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!/\/uvu\/dist\/index\.(mjs|js)$/.test(url)) return loaded
    return { ...loaded, source: CHANGES.reduce(change, String(loaded.source)) }
  },
})

function change(source, { before, insert }) {
  if (source.split(before).length === 2) return source.replace(before, () => insert + before)
  throw new Error(
    'uvu is not the version tests/runner/close-uvu-holes.js was written for: see whether its holes are still there',
  )
}
