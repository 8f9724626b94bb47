import { BRAND } from '../../engine/base/brand.ts'
import type { Site } from './site.ts'

/** What the workspace is called on pages and in mail: the host people know it by. */
export function workspaceName({ baseUrl }: Pick<Site, 'baseUrl'>): string {
  const { hostname } = new URL(baseUrl())
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? BRAND : hostname
}
