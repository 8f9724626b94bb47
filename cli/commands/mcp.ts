import { type Command, Option } from 'commander'
import { BRAND } from '../../engine/base/brand.ts'
import { UsageError } from '../failure.ts'
import { packageFacts } from '../package.ts'
import { toolServerSettings } from '../tool-server-settings.ts'

/** Below a minute: then the clients we know give up themselves. */
const DEFAULT_TIMEOUT = '50'
const MOST_TIMEOUT = 3600

/** `svc mcp`: the tool server; it speaks HTTP to a workspace and touches neither data folder nor database. */
export function register(program: Command): void {
  program
    .command('mcp')
    .description('give agents the workspace as tools (Model Context Protocol on stdin and stdout)')
    .option(
      '--timeout <seconds>',
      'longest time for one call with all its retries',
      DEFAULT_TIMEOUT,
    )
    .addOption(
      new Option('--tools <which>', 'the twelve, or more of them')
        .choices(['twelve', 'full'])
        .default('twelve'),
    )
    .action(async ({ timeout, tools }: { readonly timeout: string; readonly tools: string }) => {
      const timeoutMs = secondsOf(timeout) * 1000
      const { serveTools } = await import('../../mcp/server.ts')
      await serveTools({
        brand: BRAND,
        version: String(packageFacts().version),
        timeoutMs,
        isFull: tools === 'full',
        ...toolServerSettings(process.env),
      })
    })
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= MOST_TIMEOUT) return seconds
  throw new UsageError(
    `--timeout: expected whole seconds from 1 to ${MOST_TIMEOUT}, got ${JSON.stringify(text)}`,
  )
}
