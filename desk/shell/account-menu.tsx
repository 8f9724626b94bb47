import { lazy, type ReactElement, Suspense, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { leaveNothing } from '../boot/leave-nothing.ts'
import { Menu } from '../ui/menu.tsx'
import { WORDS } from '../words/en.ts'

const LanguageChoice = lazy(() =>
  import('./language-choice.tsx').then((file) => ({ default: file.LanguageChoice })),
)

/** Who is signed in, and what is theirs; these pages stand outside the Desk. */
export function AccountMenu({ onHelp }: { onHelp: () => void }): ReactElement {
  const { boot } = useDesk()
  const form = useRef<HTMLFormElement>(null)
  const name = boot.person.full_name
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Menu
        label={`${WORDS.account}: ${name} (${initialsOf(name)})`}
        className="avatar"
        trigger={<span className="initials" data-initials={initialsOf(name)} />}
        items={[
          { label: WORDS.sessions, icon: 'laptop', href: '/settings/sessions' },
          { label: WORDS.factors, icon: 'shield-check', href: '/settings/second-factor' },
          { label: WORDS.password, icon: 'key-round', href: '/change-password' },
          'line',
          // A record of the person that says one is for who keeps the records.
          ...(boot.person.language === null
            ? [
                {
                  label: WORDS.language,
                  icon: 'languages',
                  onSelect: () => setChoosing(true),
                },
              ]
            : []),
          { label: WORDS.help, icon: 'circle-help', key: '?', onSelect: onHelp },
          { label: WORDS.developer, icon: 'wrench', href: '/settings/developer' },
          { label: WORDS.apiReference, icon: 'book-open', href: '/docs' },
          'line',
          {
            label: WORDS.signOut,
            icon: 'log-out',
            onSelect: () => {
              leaveNothing()
              form.current?.submit()
            },
          },
        ]}
      />
      {isChoosing ? (
        <Suspense>
          <LanguageChoice onClose={() => setChoosing(false)} />
        </Suspense>
      ) : null}
      <form ref={form} method="post" action="/logout" hidden>
        <input type="hidden" name="csrf_token" value={boot.csrf} />
      </form>
    </>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  const last = words.length > 1 ? (words[1]?.[0] ?? '') : ''
  return `${words[0]?.[0] ?? ''}${last}`.toUpperCase()
}
