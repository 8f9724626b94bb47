/*
 * A process that loads a folder of definitions, as `svc` does at its start, and prints the CPU it has used:
 * `load-definitions.js [folder [cache folder]]`; without a folder it only imports the engine. JavaScript,
 * because TypeScript here would load the compiler into a process that is measured.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/svc', import.meta.url)))
const { loadChecked } = await import('../engine/index.ts')
const { hooks } = await import('../hooks/index.ts')
const [folder, cacheFolder] = process.argv.slice(2)
const before = process.cpuUsage()
if (folder !== undefined) loadChecked({ doctypes: [folder], hooks, cacheFolder })
const loading = process.cpuUsage(before)
const whole = process.cpuUsage()
console.log(
  JSON.stringify({
    loadingMs: (loading.user + loading.system) / 1000,
    wholeMs: (whole.user + whole.system) / 1000,
  }),
)
