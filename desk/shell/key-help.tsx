import type { ReactElement } from 'react'
import { useDeskSettings } from '../data/desk-settings.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { WORDS } from '../words/en.ts'

/** `?`: every key and what it does. */
export function KeyHelp({ onClose }: { onClose: () => void }): ReactElement {
  const { settings, change } = useDeskSettings()
  return (
    <Dialog title={WORDS.keys} onClose={onClose} wide>
      <div className="keys">
        {WORDS.keyGroups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{WORDS.keyTexts[title] ?? title}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{WORDS.keyTexts[does] ?? does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-actions">
        <Button onClick={() => change((all) => ({ ...all, isQuiet: !all.isQuiet }))}>
          {settings.isQuiet ? WORDS.loudKeys : WORDS.quietKeys}
        </Button>
      </div>
    </Dialog>
  )
}
