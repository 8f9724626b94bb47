import { type Html, html } from '../http/html.ts'

/** A request that examples show. */
export interface Sample {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** From `/v1` on, percent-encoded. */
  readonly path: string
  readonly body?: unknown
}

/** The same request in curl, JavaScript and Python, as the reader would send it. */
export function samples(base: string, key: string, sample: Sample): Html {
  const others = [
    ['JavaScript', javascript(base, key, sample)],
    ['Python', python(base, key, sample)],
  ] as const
  return html`<div class="samples"><pre><code>${curl(base, key, sample)}</code></pre>${others.map(
    ([language, text]) =>
      html`<details><summary>${language}</summary><pre><code>${text}</code></pre></details>`,
  )}</div>`
}

function curl(base: string, key: string, { method, path, body }: Sample): string {
  const sent =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${json(body).replaceAll("'", `'\\''`)}'`]
  const verb = method === 'GET' ? '' : `-X ${method} `
  return [`curl ${verb}'${base}${path}'`, `-H 'Authorization: Bearer ${key}'`, ...sent].join(
    ' \\\n  ',
  )
}

function javascript(base: string, key: string, { method, path, body }: Sample): string {
  const sent = body === undefined ? '' : `\n  body: JSON.stringify(${indented(json(body))}),`
  const type = body === undefined ? '' : `, 'Content-Type': 'application/json'`
  return `const answer = await fetch('${base}${path}', {
  method: '${method}',
  headers: { Authorization: 'Bearer ${key}'${type} },${sent}
})
console.log(answer.status, ${method === 'DELETE' ? 'answer.ok' : 'await answer.json()'})`
}

function python(base: string, key: string, { method, path, body }: Sample): string {
  const sent = body === undefined ? '' : `\n    json=${indented(pythonText(body), 4)},`
  return `import requests

answer = requests.request(
    "${method}", "${base}${path}",
    headers={"Authorization": "Bearer ${key}"},${sent}
)
print(answer.status_code, ${method === 'DELETE' ? 'answer.ok' : 'answer.json()'})`
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** A value in Python's words. */
function pythonText(value: unknown): string {
  return json(value)
    .replace(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)true(,?)$/gm, '$1True$2')
    .replace(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)false(,?)$/gm, '$1False$2')
    .replace(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)null(,?)$/gm, '$1None$2')
}

function indented(text: string, by = 2): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
