import { suggest } from '../../base/suggest.ts'
import { placedAfter } from '../normalise/place-fields.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type YamlMap } from '../yaml/source.ts'

/** Places (`place`) of a file's own fields, and of their rows, that are behind no field there is. */
export function wrongPlaces(
  own: YamlMap,
  merged: YamlMap,
): readonly { readonly path: Path; readonly message: string }[] {
  return of(own.fields, merged.fields, ['fields'])
}

function of(own: unknown, merged: unknown, at: Path): ReturnType<typeof wrongPlaces> {
  if (!isMap(own) || !isMap(merged)) return []
  return Object.entries(own).flatMap(([name, field]) => {
    if (!isMap(field)) return []
    const whole = merged[name]
    const inner = isMap(whole) ? of(field.fields, whole.fields, [...at, name, 'fields']) : []
    const behind = typeof field.place === 'string' ? placedAfter(field.place) : undefined
    if (behind === undefined || (behind !== name && Object.hasOwn(merged, behind))) return inner
    const near = suggest(behind, Object.keys(merged))
    const hint = near === undefined || near === name ? '' : `; did you mean ${near}?`
    return [
      { path: [...at, name, 'place'], message: `no other field ${behind} to stand behind${hint}` },
      ...inner,
    ]
  })
}
