import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatDate } from '../data/format.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { ApiKey, SystemPage } from './developer-types.ts'
import { KeyForm } from './key-form.tsx'
import { SecretOnce } from './secret-once.tsx'
import { useChange, useSystem } from './use-system.ts'

const TONES: Readonly<Record<string, string>> = {
  read: 'grey',
  draft: 'yellow',
  write: 'blue',
  admin: 'purple',
}

/** The keys of programs: what each may, whose it is and when it was used last; a new one is shown once. */
export function KeysPage(): ReactElement {
  const { data, error } = useSystem<SystemPage<ApiKey>>('/v1/api-keys?limit=100')
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const [ending, setEnding] = useState<ApiKey>()
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.developerParts.keys}</h1>
          <p className="quiet">{PAGES.keysAbout}</p>
        </div>
        <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
          {PAGES.newKey}
        </Button>
      </header>
      <div className="part-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{PAGES.key}</th>
              <th scope="col">{PAGES.scope}</th>
              <th scope="col">{PAGES.lastUsed}</th>
              <th scope="col">{PAGES.allowedFrom}</th>
              <th scope="col">{PAGES.expires}</th>
              <th scope="col">
                <span className="visually-hidden">{WORDS.more}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((key) => (
              <KeyRow key={key.id} apiKey={key} onEnd={() => setEnding(key)} />
            ))}
          </tbody>
        </table>
      </div>
      {isMaking ? (
        <KeyForm
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
          }}
        />
      ) : null}
      {made === undefined ? null : (
        <SecretOnce
          title={PAGES.keyMade}
          secret={made}
          example={`curl '${location.origin}/v1/resources' -H "Authorization: Bearer ${made}"`}
          onClose={() => setMade(undefined)}
        />
      )}
      {ending ? <EndKey apiKey={ending} onClose={() => setEnding(undefined)} /> : null}
    </>
  )
}

function KeyRow({ apiKey: key, onEnd }: { apiKey: ApiKey; onEnd: () => void }): ReactElement {
  const { formats } = useDesk()
  return (
    <tr>
      <th scope="row">
        <strong>{key.label || PAGES.unnamed}</strong>
        <code>
          {key.prefix}…{key.last4}
        </code>
      </th>
      <td>
        <Pill text={key.scope} color={TONES[key.scope]} />
        {key.env === 'test' ? <Pill text="test" color="orange" /> : null}
      </td>
      <td>{key.last_used ? formatAge(key.last_used, formats) : PAGES.never}</td>
      <td>{key.allow_ips.length > 0 ? key.allow_ips.join(', ') : PAGES.anywhere}</td>
      <td>{key.expires ? formatDate(key.expires.slice(0, 10), formats) : PAGES.never}</td>
      <td>
        <IconButton icon="trash-2" label={PAGES.endKey(key.label || key.prefix)} onClick={onEnd} />
      </td>
    </tr>
  )
}

function EndKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactElement {
  const { change, isBusy } = useChange()
  const name = apiKey.label || `${apiKey.prefix}…`
  return (
    <Dialog title={PAGES.endKey(name)} onClose={onClose}>
      <p>{PAGES.endKeyAbout}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORDS.back}</Button>
        <Button
          kind="danger"
          busy={isBusy}
          onClick={async () => {
            await change('DELETE', `/v1/api-keys/${apiKey.id}`)
            onClose()
          }}
        >
          {PAGES.endIt}
        </Button>
      </div>
    </Dialog>
  )
}
