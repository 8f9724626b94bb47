import { useDesk } from '../boot/desk-context.ts'

interface Part {
  readonly resource?: string
}

/** Leaves out the parts of workspaces whose records are above the plan: they would only be refused. */
export function useOpenParts(): <T extends Part>(parts: readonly T[]) => readonly T[] {
  const { entryOf } = useDesk()
  return (parts) => parts.filter(({ resource }) => !(resource && entryOf(resource)?.locked))
}
