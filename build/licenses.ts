import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Carried or built in, though no code of the bundle comes from them. */
const BESIDE_THE_BUNDLE = [
  'swagger-ui-dist',
  'better-sqlite3',
  'lucide-static',
  '@fontsource-variable/inter',
]

/**
 * The licences of everything that is in the binary, which have to go with it: ours, Node's, and those of all
 * packages that code or files come from, those of the Desk (`deskPackages`) among them.
 */
export function licenses(root: string, { inputs }: Metafile, desk: readonly string[]): string {
  const node = join(root, 'node_modules', `node-${process.platform}-${process.arch}`)
  const folders = new Set([
    node,
    ...BESIDE_THE_BUNDLE.map((name) => join(root, 'node_modules', name)),
    ...desk.map((folder) => join(root, folder)),
  ])
  for (const input of Object.keys(inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
    if (folder !== undefined) folders.add(join(root, folder))
  }
  const texts = [...folders].filter((folder) => existsSync(folder)).map(licenseOf)
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  return `${[`svc\n\n${own}`, ...[...new Set(texts)].sort()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = globSync('{LICENSE,LICENCE,License,license,NOTICE}*', { cwd: folder }).filter(
    (file) => !/\.(?:js|ts|json)$/.test(file),
  )
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
