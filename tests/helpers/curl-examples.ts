/** A command of a page and what it is answered. */
export interface Command {
  readonly text: string
  readonly status: number
}

/** The curl commands of the page, each ending in the status it expects: `# 201`. */
export function commandsOf(markdown: string): Command[] {
  const blocks = [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '')
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  return lines
    .filter((line) => line.startsWith('curl '))
    .map((line) => {
      const [, text = '', status] = /^(.*\S)\s+# (\d{3})$/.exec(line) ?? []
      if (!status) throw new Error(`expected "# status" at the end of: ${line}`)
      return { text, status: Number(status) }
    })
}

/**
 * Does what curl would: the options -X, -H, -d, -F, -G and --data-urlencode, quotes and variables as a shell reads them.
 * `files` are the texts of those that a form sends.
 */
export function runCommand(
  command: string,
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const [, ...words] = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) =>
      single ??
      (double ?? plain ?? '').replace(/\$([A-Z]+)/g, (_all, name) => variables[name] ?? ''),
  )
  let url = ''
  let method: string | undefined
  let body: string | FormData | undefined
  const headers = new Headers()
  const query = new URLSearchParams()
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-X') method = words.shift()
    else if (word === '-d') body = words.shift()
    else if (word === '-F') {
      const [, name = '', at, value = ''] = /^([^=]+)=(@?)(.*)$/.exec(words.shift() ?? '') ?? []
      const form = body instanceof FormData ? body : new FormData()
      if (at) form.append(name, new Blob([files[value]!]), value)
      else form.append(name, value)
      body = form
    } else if (word === '--data-urlencode') {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(words.shift() ?? '') ?? []
      query.append(name, value)
    } else if (word === '-G') method = 'GET'
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(words.shift() ?? '') ?? []
      headers.append(name, value)
    } else if (word.startsWith('-')) throw new Error(`unknown option ${word} in: ${command}`)
    else url = word
  }
  return fetch(query.size === 0 ? url : `${url}?${query}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
