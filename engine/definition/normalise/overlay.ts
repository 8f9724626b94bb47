import { isMap, type YamlMap } from '../yaml/source.ts'

/**
 * A DocType with an overlay (`extend: true`) merged in: fields merge by name and their keys one by one, rows'
 * fields too; other maps merge by key; texts, numbers and lists replace (docs/doctypes/cookbook/extend.md).
 */
export function mergeOverlay(base: YamlMap, overlay: YamlMap): YamlMap {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(overlay)) {
    if (key === 'extend') continue
    const old = base[key]
    if (key === 'fields' && isMap(old) && isMap(value)) merged[key] = mergeFields(old, value)
    else merged[key] = isMap(old) && isMap(value) ? { ...old, ...value } : value
  }
  return merged
}

function mergeFields(base: YamlMap, overlay: YamlMap): YamlMap {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, field] of Object.entries(overlay)) {
    const old = base[name]
    merged[name] = isMap(old) && isMap(field) ? mergeField(old, field) : field
  }
  return merged
}

function mergeField(base: YamlMap, overlay: YamlMap): YamlMap {
  const fields =
    isMap(base.fields) && isMap(overlay.fields)
      ? mergeFields(base.fields, overlay.fields)
      : undefined
  return { ...base, ...overlay, ...(fields ? { fields } : {}) }
}
