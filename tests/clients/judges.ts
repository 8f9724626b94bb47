import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from './shop.ts'

/** Folder of the judges that are no npm packages: each is installed once, and kept from run to run. */
const JUDGES = process.env.SVC_JUDGES ?? join(homedir(), '.cache/svc-judges')

/** Packages of Python, by what they are for. */
export const PYTHON_PACKAGES = {
  clients: ['openapi-python-client==0.29.1', 'httpx', 'attrs', 'python-dateutil'],
  schemathesis: ['schemathesis==4.32.5'],
  mcp: ['mcp==2.3.0'],
  frappe: ['frappe-client==0.1.0.dev0', 'six'],
} as const

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0'

/** Folder of the programs of an environment of Python with these packages. Throws where it cannot be made. */
export function pythonJudge(name: keyof typeof PYTHON_PACKAGES): string {
  const folder = join(JUDGES, `python-${name}`)
  return once(folder, join(folder, 'bin'), () => {
    needs('python3', ['--version'])
    run('.', 'python3', ['-m', 'venv', folder])
    run('.', join(folder, 'bin/pip'), ['install', '--quiet', ...PYTHON_PACKAGES[name]])
  })
}

/** Folder that has `oapi-codegen`. Throws where Go is missing or cannot fetch it. */
export function goJudge(): string {
  const folder = join(JUDGES, 'go')
  return once(folder, folder, () => {
    needs('go', ['version'])
    run('.', 'go', ['install', OAPI_CODEGEN], { ...process.env, GOBIN: folder })
  })
}

/** Folder that has `openapi-generator-cli`. Throws where Java or Maven is missing, or Maven cannot fetch it. */
export function javaJudge(): string {
  const folder = join(JUDGES, 'openapi-generator')
  return once(folder, folder, () => {
    needs('java', ['-version'])
    needs('mvn', ['-version'])
    const fetched = [
      '-q',
      'dependency:copy',
      `-Dartifact=${GENERATOR}`,
      `-DoutputDirectory=${folder}`,
    ]
    run('.', 'mvn', fetched)
    const [, artifact, version] = GENERATOR.split(':')
    const command = join(folder, 'openapi-generator-cli')
    writeFileSync(
      command,
      `#!/bin/sh\nexec java -jar "${folder}/${artifact}-${version}.jar" "$@"\n`,
    )
    chmodSync(command, 0o755)
  })
}

/** The folder, once what makes it has been through; an installation that was cut off begins anew. */
function once(folder: string, made: string, install: () => void): string {
  const done = join(folder, 'installed')
  if (existsSync(done)) return made
  mkdirSync(folder, { recursive: true })
  install()
  writeFileSync(done, '')
  return made
}

/** Throws where a program that judges need is not on this machine: a judge that is missing is none that is content. */
export function needs(program: string, args: readonly string[]): void {
  const { error } = spawnSync(program, args)
  if (error) throw new Error(`${program} is not installed, so its judge has not judged`)
}
