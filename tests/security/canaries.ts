/** A secret of a test and the places it may be seen in. */
export interface Canary {
  readonly name: string
  readonly value: string
  /** Places that show it: the one answer that tells it. */
  readonly shownIn: readonly string[]
}

/** A text that came out of the program, and where. */
export interface Seen {
  readonly place: string
  readonly text: string
}

/** Every way a text of ours could write a secret: as it is, and in the encodings that texts are put in. */
export function formsOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value)
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    JSON.stringify(value)
      .slice(1, -1)
      .replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams({ '': value }).toString().slice(1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    [...value].toReversed().join(''),
  ]
  // In base64 a text looks different at each of three places; the ends depend on what stands beside it.
  for (const before of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = padded.toString(encoding).replace(/=+$/, '')
      forms.push(
        text.slice(before === 0 ? 0 : before + 1, padded.length % 3 === 0 ? undefined : -1),
      )
    }
  }
  return new Set(forms)
}

/** One line for each canary in each place it must not be in. */
export function escaped(canaries: readonly Canary[], seen: readonly Seen[]): readonly string[] {
  return canaries.flatMap(({ name, value, shownIn }) => {
    if (value.length < 8) throw new Error(`the canary ${name} is too short to be looked for`)
    const forms = [...formsOf(value)]
    return seen.flatMap(({ place, text }) => {
      if (shownIn.includes(place)) return []
      const form = forms.find((one) => text.includes(one))
      if (form === undefined) return []
      const at = text.indexOf(form)
      return [`${name} in ${place}: …${text.slice(Math.max(0, at - 60), at + 20)}…`]
    })
  })
}
