import '../style/beside.css'
import { type ReactElement, useRef } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { sizeText } from '../together/upload.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { useBeside, useBesideStore } from './beside-context.ts'
import { type BesideFile, isUnsent } from './beside-store.ts'
import { ShownFile } from './shown-file.tsx'
import { useSending } from './use-sending.ts'

/** The files beside a form, one of them shown: wide enough to type off, folded away by a press. */
export function BesidePanel(): ReactElement {
  const beside = useBeside()
  const store = useBesideStore()
  const { files, isOpen, of } = beside
  const shown = files.find(({ key }) => key === beside.shown)
  const fold = useRef<HTMLButtonElement>(null)
  const isSaved = of?.id !== undefined
  function remove(key: string): void {
    store.remove(key)
    // The button that was pressed is gone.
    const isLast = store.now().files.length === 0
    if (!isLast) fold.current?.focus()
    else document.querySelector<HTMLElement>('[data-attach]')?.focus()
  }
  return (
    <aside
      className="beside"
      aria-label={WORDS.beside}
      data-open={isOpen}
      data-wide={isOpen && shown !== undefined}
    >
      <header>
        <button ref={fold} type="button" aria-expanded={isOpen} onClick={() => store.open(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          <span>{WORDS.beside}</span>
          {files.length > 1 ? <span className="count-pill">{files.length}</span> : null}
        </button>
        {isSaved && !isUnsent(beside) ? (
          <IconButton icon="x" label={WORDS.close} onClick={store.clear} />
        ) : null}
      </header>
      <div className="beside-body" hidden={!isOpen}>
        <ul>
          {files.map((file) => (
            <Line
              key={file.key}
              file={file}
              isShown={file === shown}
              onRemove={() => remove(file.key)}
            />
          ))}
        </ul>
        {shown ? <ShownFile key={shown.key} file={shown} /> : null}
      </div>
    </aside>
  )
}

interface LineProps {
  readonly file: BesideFile
  readonly isShown: boolean
  readonly onRemove: () => void
}

function Line({ file, isShown, onRemove }: LineProps): ReactElement {
  const { formats } = useDesk()
  const store = useBesideStore()
  const { key, name, content, kind, state, share, why } = file
  const mayGo = state === 'waiting' || state === 'failed'
  return (
    <li data-state={state}>
      <Icon name={kind === 'other' ? 'file' : 'file-text'} />
      {kind === 'other' ? (
        <span className="file-name">{name}</span>
      ) : (
        <button
          type="button"
          className="file-name"
          aria-pressed={isShown}
          onClick={() => store.show(key)}
        >
          {name}
        </button>
      )}
      {state === 'sending' ? (
        <progress aria-label={name} value={share} max={1} />
      ) : (
        <span className="quiet">{sizeText(content.size, formats.locale)}</span>
      )}
      {mayGo ? <IconButton icon="x" label={WORDS.remove(name)} onClick={onRemove} /> : null}
      {state === 'failed' ? <Failed name={name} why={why ?? ''} /> : null}
    </li>
  )
}

/** Says why a file does not belong to the record, which is there without it, and brings it again. */
function Failed({ name, why }: { name: string; why: string }): ReactElement {
  const { of } = useBeside()
  const send = useSending()
  return (
    <div className="failed">
      <p role="alert">{WORDS.notAttached(name, why)}</p>
      <Button
        icon="rotate-ccw"
        onClick={() => {
          if (of?.id !== undefined) void send(of.slug, of.id)
        }}
      >
        {WORDS.tryAgain}
      </Button>
    </div>
  )
}
