import type { DeskSettings } from '../data/types.ts'

/** Where this browser remembers which lists have columns that their person chose. */
const KEY = 'desk.own-columns'

/** Remembers it, for the page that begins next: it asks for its list before it knows the settings. */
export function rememberOwnColumns({ lists = {} }: DeskSettings): void {
  const own = Object.keys(lists).filter((slug) => lists[slug]?.fields)
  localStorage.setItem(KEY, JSON.stringify(own))
}

/** Whether the list of a resource had such columns when this browser last heard of them. */
export function hasOwnColumns(slug: string): boolean {
  const own: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
  return Array.isArray(own) && own.includes(slug)
}
