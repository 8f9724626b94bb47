import { pageQuery, readListAddress } from '../list/list-address.ts'
import { chosenLanguage } from './chosen-language.ts'
import { isOfResource } from './own-addresses.ts'
import { hasOwnColumns } from './own-columns.ts'

declare global {
  /** Answers that are on their way, by the path they were asked for; each is taken once. */
  var deskFirst: Map<string, Promise<Response>> | undefined
}

/**
 * Asks for what the page at this address surely needs while its scripts are still on their way. It is a script of its own, runs
 * before all others and imports what is small alone.
 */
function begin(): void {
  const language = chosenLanguage()
  const headers = {
    Accept: 'application/json',
    ...(language === undefined ? {} : { 'Accept-Language': language }),
  }
  const ask = (path: string): Promise<Response> => fetch(path, { headers })
  const boot = ask('/v1/boot')
  const { definition, records } = wanted(location.pathname, location.search)
  const all = new Map([['/v1/boot', boot]])
  if (definition !== undefined) all.set(definition, ask(definition))
  // The boot names the place in the log of events that changes are heard from: records are read behind it, so that none is missed.
  if (records !== undefined)
    all.set(
      records,
      boot.then(() => ask(records)),
    )
  // Who takes the answer hears of a failure.
  for (const answer of all.values()) answer.catch(() => {})
  globalThis.deskFirst = all
}

/** Words that stand in addresses where a record has its identifier. */
const NO_RECORDS: ReadonlySet<string> = new Set(['new', 'import', 'studio'])

interface Wanted {
  readonly definition?: string
  readonly records?: string
}

function wanted(pathname: string, search: string): Wanted {
  const [slug = '', id, more] = pathname.slice(1).split('/')
  if (!isOfResource(slug)) return {}
  const definition = `/v1/resources/${slug}`
  if (id !== undefined && (NO_RECORDS.has(id) || more !== undefined)) return { definition }
  if (id) return { definition, records: `/v1/${slug}/${id}?_titles=1&_can=1` }
  const address = readListAddress(search)
  const isUsual = address.layout === 'table' && !address.fields && !hasOwnColumns(slug)
  return isUsual ? { definition, records: `/v1/${slug}?${pageQuery(address)}` } : { definition }
}

begin()
