import type { Path } from '../yaml/parse.ts'
import type { Report, YamlMap } from '../yaml/source.ts'

const FOR_CALLERS = 'is for callers of the API, who never see an internal field'
const FOR_PEOPLE = 'is for people, who never see an internal field'
const TOLD = 'refuses a value by the name of the field, which nobody may hear'

/** Words that mean nothing beside `internal: true`, each with why. */
const SENSELESS: Readonly<Record<string, string>> = {
  ...all(['filterable', 'createOnly', 'allow_on_submit'], FOR_CALLERS),
  ...all(['label', 'placeholder', 'section'], FOR_PEOPLE),
  ...all(['visible_when'], FOR_PEOPLE),
  ...all(['required', 'required_when', 'unique', 'acyclic', 'takes'], TOLD),
  hidden: 'says less than internal',
  readOnly: 'goes without saying: nobody may set an internal field',
}

/** Reports words of a field that mean nothing where it is internal. */
export function checkInternal(raw: YamlMap, path: Path, report: Report): void {
  if (raw.internal !== true) return
  for (const word in SENSELESS) {
    if (raw[word] !== undefined && raw[word] !== false)
      report([...path, word], `${SENSELESS[word]}; remove ${word}, or internal`, 'key')
  }
}

function all(words: readonly string[], why: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word, why]))
}
