import '../style/fields.css'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  useId,
  useRef,
  useState,
} from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { useLinkOptions } from '../record/link-search.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { useServing } from './serving.ts'
import { useTellAgain } from './use-timeline.ts'

/** What is typed of a mention right before the caret: `@an`. */
const TYPED = /(?:^|[\s(])@([\w.+-]*)$/

/** Where people write about a record; `@` finds the people who are told. */
export function CommentBox({ slug, id }: { slug: string; id: string }): ReactElement | null {
  const { client } = useDesk()
  const tell = useToast()
  const again = useTellAgain()
  const comments = useServing('comments')
  const [isBusy, setBusy] = useState(false)
  const mention = useMention()
  const { text, setText } = mention
  async function send(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await client.ask(recordPath(slug, id, 'comments'), { method: 'POST', body: { text } })
      setText('')
      await again(slug, id)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
    setBusy(false)
  }
  if (!comments?.can.includes('create')) return null
  return (
    <form className="comment-box" onSubmit={(event) => void send(event)}>
      <textarea
        ref={mention.box}
        aria-label={WORDS.comment}
        aria-controls={mention.isOpen ? mention.list : undefined}
        aria-activedescendant={mention.isOpen ? `${mention.list}-${mention.at}` : undefined}
        placeholder={WORDS.commentHint}
        value={text}
        rows={1}
        onChange={mention.type}
        onBlur={mention.close}
        onKeyDown={(event) => {
          if (mention.press(event)) return
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          void send()
        }}
      />
      {mention.isOpen ? (
        <div className="picker-list">
          <div id={mention.list} role="listbox" aria-label={WORDS.people}>
            {mention.options.map(({ id: login, title }, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus
              <div
                key={login}
                id={`${mention.list}-${index}`}
                role="option"
                aria-selected={index === mention.at}
                className="picker-option"
                onMouseDown={(event) => {
                  event.preventDefault()
                  mention.take(index)
                }}
              >
                <span>{title}</span>
                {title === login ? null : <small>{login}</small>}
              </div>
            ))}
          </div>
        </div>
      ) : null}
      {text.trim() === '' ? null : (
        <Button kind="primary" type="submit" busy={isBusy}>
          {WORDS.sendComment}
        </Button>
      )}
    </form>
  )
}

/** A text in which `@` and some letters find people. */
function useMention() {
  const [text, setText] = useState('')
  const [sought, setSought] = useState<string>()
  const [at, setAt] = useState(0)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const people = useServing('users')
  const isAsking = sought !== undefined && people !== undefined
  const { options } = useLinkOptions(people?.slug ?? '', sought ?? '', isAsking)
  const isOpen = isAsking && options.length > 0
  const close = (): void => setSought(undefined)

  function type(event: { readonly currentTarget: HTMLTextAreaElement }): void {
    const { value, selectionStart } = event.currentTarget
    setText(value)
    setSought(TYPED.exec(value.slice(0, selectionStart))?.[1])
    setAt(0)
  }

  function take(index: number): void {
    const one = options[index]
    const element = box.current
    if (!one || !element || sought === undefined) return
    const caret = element.selectionStart
    const before = `${text.slice(0, caret - sought.length)}${one.id} `
    setText(`${before}${text.slice(caret)}`)
    close()
    requestAnimationFrame(() => element.setSelectionRange(before.length, before.length))
  }

  /** Whether the key was for the list of people. */
  function press(event: KeyboardEvent): boolean {
    if (!isOpen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((at + step + options.length) % options.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(at)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return { text, setText, box, list, isOpen, options, at, type, take, press, close }
}
