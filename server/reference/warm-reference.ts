import type { Logger } from 'pino'
import type { Engine } from '../../engine/index.ts'
import { frontBody } from './guide-pages.ts'
import { referencePage } from './layout.ts'
import { strangersReader } from './reader.ts'
import { reportBody } from './report-page.ts'
import { resourceBody } from './resource-page.ts'

/** Time after the start at which nobody waits for anything any more, in ms. */
const QUIET_AFTER = 1_500

/** Examples of pages that nobody reads. */
const NOBODY = { base: 'http://127.0.0.1', key: 'svc_live_…' }

/**
 * Draws a page of each kind once the start is over, so that the first reader of `/docs` need not wait until the reports are
 * read and the code is warm. Gives back what ends the wait.
 */
export function warmReferenceLater(
  engine: Engine,
  logger: Pick<Logger, 'warn'>,
  afterMs = QUIET_AFTER,
): () => void {
  const failed = (err: unknown) => logger.warn({ err }, 'could not draw the reference')
  const timer = setTimeout(() => void warmReference(engine).catch(failed), afterMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Draws a page of each kind, others' requests between them. Gives back how long they are, in characters. */
export async function warmReference(engine: Engine): Promise<number> {
  const shelf = strangersReader(engine)
  const { registry, reports } = shelf
  const { grants } = engine.services
  const [definition] = registry.all
  const [report] = reports
  const draws = [
    () => frontBody(shelf, NOBODY, ''),
    ...(definition
      ? [() => resourceBody(definition, { registry, grants, ...NOBODY, id: '1' })]
      : []),
    ...(report ? [() => reportBody(report, NOBODY.base, NOBODY.key)] : []),
  ]
  let length = 0
  for (const draw of draws) {
    await new Promise((next) => setImmediate(next))
    length += referencePage(shelf, '', '/docs', draw()).length
  }
  return length
}
