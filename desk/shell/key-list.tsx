import type { ReactElement } from 'react'
import { useDeskSettings } from '../data/desk-settings.ts'
import { Button } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'

/** Every key and what it does, and whether those without Ctrl do anything. */
export function KeyList(): ReactElement {
  const { settings, change } = useDeskSettings()
  return (
    <>
      <div className="keys">
        {WORDS.keyGroups.map(({ title, keys }) => (
          <section key={title}>
            <h4>{WORDS.keyTexts[title] ?? title}</h4>
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
    </>
  )
}
