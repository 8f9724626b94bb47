import { useLocation, useSearch } from 'wouter'

/** Parameters of a page that are none of the report: how it is drawn, and which set of filters it is. */
const OWN = new Set(['chart', 'view'])

/** What the address of a report says. */
export interface ReportState {
  /** Parameters of the report that the address has, in its order. */
  readonly given: ReadonlyMap<string, string>
  /** The same as a query of the API. */
  readonly query: string
  readonly chart: string
  readonly view: string
  readonly orderBy: string
  /** Changes parameters; undefined takes one away. */
  readonly change: (parts: Readonly<Record<string, string | undefined>>) => void
}

/** State of a report, which stands in its address: kept, sent, and asked of the API as it is. */
export function useParameters(): ReportState {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const parameters = new URLSearchParams(search)
  const given = new Map([...parameters].filter(([name]) => !OWN.has(name)))
  return {
    given,
    query: new URLSearchParams([...given]).toString(),
    chart: parameters.get('chart') ?? '',
    view: parameters.get('view') ?? '',
    orderBy: parameters.get('order_by') ?? '',
    change(parts) {
      const next = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(parts))
        if (value === undefined) next.delete(name)
        else next.set(name, value)
      const text = next.toString()
      navigate(text === '' ? path : `${path}?${text}`, { replace: true })
    },
  }
}
