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
  const changed = Object.entries(parts).flatMap(([key, rewrite]) =>
    part[key] === undefined ? [] : [[key, rewrite(part[key], below(site, key))] as const],
  )
  return changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) }
}

/** A list or map all of whose values are made anew. */
export function rewriteAll<Site extends PartSite>(
  part: unknown,
  site: Site,
  rewrite: Rewrite<Site>,
): unknown {
  if (Array.isArray(part)) return part.map((item, index) => rewrite(item, below(site, index)))
  if (!isMap(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, item]) => [key, rewrite(item, below(site, key))]),
  )
}
