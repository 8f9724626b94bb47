import type { ReactElement } from 'react'

/** The colours a state may have; which one a word has stands in the definitions, or follows from its meaning. */
const TONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    green:
      'paid completed complete closed active approved accepted won received delivered resolved settled passed enabled open_stock reconciled present converted',
    amber:
      'to overdue_soon pending unpaid open partly partially waiting requested on replied contacted working processing expiring return',
    red: 'overdue cancelled rejected lost failed expired stopped absent disabled blocked returned unbilled_late',
    blue: 'submitted ordered quotation sent started new lead running opportunity interested issued',
  }).flatMap(([tone, words]) => words.split(' ').map((word) => [word, tone] as const)),
)

/** Tone of a state: the colour its definition gives, else that of its first word that has one. */
export function toneOf(state: string, color?: string): string {
  if (color) return color
  const words = state.toLowerCase().split(/[\s-]+/)
  return words.map((word) => TONES.get(word)).find(Boolean) ?? 'grey'
}

/** A state as a small coloured word; the colour only repeats what the word says. */
export function Pill({ text, color }: { text: string; color?: string | undefined }): ReactElement {
  return <span className={`pill tone-${toneOf(text, color)}`}>{text}</span>
}
