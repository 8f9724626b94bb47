import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge } from '../data/format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import type { OfferedDraft } from './use-kept-draft.ts'

/** Offers what was typed before and never saved. */
export function KeptOffer({ offered }: { offered: OfferedDraft }): ReactElement {
  const { formats } = useDesk()
  const { kept, isOld, restore, forget } = offered
  return (
    <section className="notice kept" aria-label={WORDS.keptDraft}>
      <Icon name="pencil" />
      <p>
        {WORDS.keptFrom(formatAge(kept.at, formats))} {isOld ? WORDS.keptOld : ''}
      </p>
      <Button onClick={forget}>{WORDS.forgetDraft}</Button>
      <Button kind="primary" onClick={restore}>
        {WORDS.restoreDraft}
      </Button>
    </section>
  )
}
