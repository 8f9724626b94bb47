import { suggest } from '../../engine/base/suggest.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import type { Only } from '../../engine/documents/verify/verify.ts'
import { CHECK_KINDS, type CheckKind } from '../../engine/documents/verify/verify-report.ts'
import { momentOf } from '../../server/http/moment.ts'
import { Failure, UsageError } from '../failure.ts'

/** Point of `--since`: `last`, a place of the event log, or a moment (ISO); undefined without the flag. */
export type Since = 'last' | bigint | string

/** Reads `--since`. Throws UsageError for what is no point; `--repair` looks at everything, whatever was asked. */
export function sinceOf(flags: {
  readonly since?: string
  readonly only?: readonly string[]
  readonly repair?: boolean
}): Since | undefined {
  const { since, repair = false } = flags
  if (since === undefined) return undefined
  if (repair)
    throw new UsageError('--since: a repair looks at everything; leave one of the two out')
  if (since === 'last') {
    if (flags.only !== undefined)
      throw new UsageError(
        '--since last: goes on from the last result, which is of all checks; leave --only out, or name a date',
      )
    return since
  }
  if (/^\d{1,18}$/.test(since)) return BigInt(since)
  const moment = momentOf(/^\d{4}-\d\d-\d\d$/.test(since) ? `${since}T00:00:00Z` : since)
  if (moment !== undefined) return moment
  throw new UsageError(
    `--since: expected last, a date such as 2026-03-09 or 2026-03-09T12:00:00Z, or a place of the event log, got ${JSON.stringify(since)}`,
  )
}

/** The checks that `--only` chooses; undefined without it. Throws Failure for what is neither kind nor DocType. */
export function onlyOf(registry: Registry, names: readonly string[] | undefined): Only | undefined {
  if (names === undefined) return undefined
  const kinds: CheckKind[] = []
  const doctypes: string[] = []
  for (const name of names) {
    const kind = CHECK_KINDS.find((one) => one === name)
    const definition = registry.byDoctype(name) ?? registry.bySlug(name)
    if (kind !== undefined) kinds.push(kind)
    else if (definition) doctypes.push(definition.doctype)
    else throw unknown(registry, name)
  }
  return { kinds, doctypes }
}

function unknown(registry: Registry, name: string): Failure {
  const near = suggest(name, [...CHECK_KINDS, ...registry.all.map(({ doctype }) => doctype)])
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  return new Failure(
    `--only: expected a DocType or one of ${CHECK_KINDS.join(', ')}, got ${JSON.stringify(name)}${hint}`,
  )
}
