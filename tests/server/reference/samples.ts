import type { Served } from '../../cli/process.ts'

/** Requests of a page of the reference in one language. */
export interface ShownRequests {
  readonly curl: readonly string[]
  readonly javascript: readonly string[]
  readonly python: readonly string[]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** The requests that a page shows to who asks with this key, with the whole key in them. */
export async function requestsOf(
  server: Pick<Served, 'url'>,
  path: string,
  key: string,
): Promise<ShownRequests> {
  const answer = await fetch(server.url + path, { headers: { Authorization: `Bearer ${key}` } })
  const page = await answer.text()
  const blocks = [...page.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, text]) =>
    (text ?? '')
      .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
      .replace(/svc_live_[\w]*…\w*/g, key),
  )
  return {
    curl: blocks.filter((text) => text.startsWith('curl')),
    javascript: blocks.filter((text) => text.startsWith('const answer')),
    python: blocks.filter((text) => text.startsWith('import requests')),
  }
}
