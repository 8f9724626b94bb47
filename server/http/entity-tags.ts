/**
 * The tags of `If-Match` or `If-None-Match` as they came. A weak tag keeps its `W/` and so never equals one
 * of ours, which are strong (RFC 9110 §13.1.1).
 */
export function entityTags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim())
}

/** True when `If-None-Match` names this tag, compared weakly (RFC 9110 §13.1.2): the client has it already. */
export function hasTag(header: string, etag: string): boolean {
  if (header === etag) return true
  return entityTags(header).some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)
}
