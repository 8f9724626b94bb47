import { isMap } from '../yaml/source.ts'

/** Where a part of a DocType stands: one list that grows and shrinks on the way; who keeps a path copies it. */
export interface PartSite {
  readonly path: (string | number)[]
}

/** Makes another part of one; the same where nothing of it changes. */
export type Rewrite<Site extends PartSite> = (part: unknown, site: Site) => unknown

/** What is made of a part of a part, which stands at a key of it. */
export function rewriteBelow<Site extends PartSite>(
  part: unknown,
  key: string | number,
  site: Site,
  rewrite: Rewrite<Site>,
): unknown {
  site.path.push(key)
  const made = rewrite(part, site)
  site.path.pop()
  return made
}

/** A map in which the parts at these keys are made anew; what is no map stays as it is. */
export function rewriteParts<Site extends PartSite>(
  part: unknown,
  site: Site,
  parts: Readonly<Record<string, Rewrite<Site>>>,
): unknown {
  if (!isMap(part)) return part
  let made: Record<string, unknown> | undefined
  for (const key in parts) {
    const before = part[key]
    if (before === undefined) continue
    const after = rewriteBelow(before, key, site, parts[key]!)
    if (after === before) continue
    made ??= { ...part }
    made[key] = after
  }
  return made ?? part
}

/** A list or map all of whose values are made anew; the same where nothing of it changes. */
export function rewriteAll<Site extends PartSite>(
  part: unknown,
  site: Site,
  rewrite: Rewrite<Site>,
): unknown {
  if (Array.isArray(part)) {
    const made = part.map((item, index) => rewriteBelow(item, index, site, rewrite))
    return made.some((item, index) => item !== part[index]) ? made : part
  }
  if (!isMap(part)) return part
  let made: Record<string, unknown> | undefined
  for (const key in part) {
    const after = rewriteBelow(part[key], key, site, rewrite)
    if (after === part[key]) continue
    made ??= { ...part }
    made[key] = after
  }
  return made ?? part
}
