import type { Path } from '../yaml/parse.ts'
import { isMap } from '../yaml/source.ts'

/** Where a part of a DocType stands. */
export interface PartSite {
  readonly path: Path
}

/** Makes another part of one; the same where nothing of it changes. */
export type Rewrite<Site extends PartSite> = (part: unknown, site: Site) => unknown

/** The site of a part of a part. */
export function below<Site extends PartSite>(site: Site, ...path: Path): Site {
  return { ...site, path: [...site.path, ...path] }
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
    const after = parts[key]!(before, below(site, key))
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
    const made = part.map((item, index) => rewrite(item, below(site, index)))
    return made.some((item, index) => item !== part[index]) ? made : part
  }
  if (!isMap(part)) return part
  let made: Record<string, unknown> | undefined
  for (const key in part) {
    const after = rewrite(part[key], below(site, key))
    if (after === part[key]) continue
    made ??= { ...part }
    made[key] = after
  }
  return made ?? part
}
