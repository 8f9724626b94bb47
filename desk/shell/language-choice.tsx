import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { keepLanguage } from '../boot/load-boot.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { WORDS } from '../words/en.ts'
import { LANGUAGES } from '../words/speak.ts'

/** Chooses the language of the person: it is kept for them, and the page is drawn anew in it. */
export function LanguageChoice({ onClose }: { onClose: () => void }): ReactElement {
  const { boot, client } = useDesk()
  async function choose(language: string): Promise<void> {
    await keepLanguage(client, boot, language)
    location.reload()
  }
  return (
    <Dialog title={WORDS.language} onClose={onClose}>
      <div className="languages">
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <span key={code} lang={code}>
            <Button onClick={() => void choose(code)}>{name}</Button>
          </span>
        ))}
      </div>
    </Dialog>
  )
}
