import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifests = [
  read('package.json'),
  ...(read('package.json') as { workspaces: readonly string[] }).workspaces.map((folder) =>
    read(`${folder}/package.json`),
  ),
] as readonly Manifest[]
const { packages } = read('package-lock.json') as {
  packages: Readonly<
    Record<string, Manifest & { readonly resolved?: string; readonly link?: boolean }>
  >
}

const lockfile = suite('what npm ci installs')

lockfile('is pinned to exact versions', () => {
  const asked = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  const loose = asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  assert.equal(loose, [])
})

lockfile(
  'is locked for every platform: npm ci refuses a lock that lacks an optional package',
  () => {
    const missing = Object.entries(packages).flatMap(
      ([path, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies }).filter(
          (name) => !isLocked(path, name),
        ),
    )
    assert.equal(missing, [])
  },
)

lockfile('comes from the registry each user has set', () => {
  const elsewhere = Object.values(packages)
    .filter(({ link }) => link !== true)
    .map(({ resolved }) => resolved)
    .filter((url) => url !== undefined && !url.startsWith('https://registry.npmjs.org/'))
  assert.equal(elsewhere, [])
})

lockfile('runs no install script, so that no compiler is needed', () => {
  assert.match(
    readFileSync(new URL('../.npmrc', import.meta.url), 'utf8'),
    /^ignore-scripts=true$/m,
  )
})

lockfile(
  'warns nobody with an older Node: the guard of the command line runs Node 24 for them',
  () => {
    const { engines } = read('package.json') as { engines: { node: string } }
    const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? []
    assert.ok(Number(oldest) <= 20, engines.node)
    const { '': root } = packages as Readonly<Record<string, { readonly engines?: object }>>
    assert.equal(root?.engines, engines)
    // Of the packages below it some ask for Node 24, which they get.
    assert.match(readFileSync(new URL('../.npmrc', import.meta.url), 'utf8'), /^loglevel=error$/m)
  },
)

/** Whether `require(name)` from the package at `path` finds a locked one, as Node looks it up: folder by folder. */
function isLocked(path: string, name: string): boolean {
  const folders = path.split('/')
  return [...folders.keys(), folders.length].some((depth) => {
    const folder = folders.slice(0, depth).join('/')
    return `${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages
  })
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
}

lockfile.run()
