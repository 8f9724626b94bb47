import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatDate } from '../data/format.ts'
import type { ResourceInfo } from '../data/types.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { amountOf } from './amount-of.ts'
import type { BankLine, Suggestion } from './bank-types.ts'
import { LinePanel } from './line-panel.tsx'
import { useActions, useOpenLines } from './use-lines.ts'
import { useSuggestions } from './use-suggestions.ts'

interface MatchingProps {
  readonly resource: ResourceInfo
  readonly account: string
  readonly choose: ReactNode
}

/** Lines on the left, what the chosen one stands for on the right; Enter takes the first suggestion and goes on. */
export function Matching({ resource, account, choose }: MatchingProps): ReactElement {
  const { data, error } = useOpenLines(resource.slug, account)
  const [chosen, setChosen] = useState<string>()
  const lines = data?.lines ?? []
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === chosen),
  )
  const line = lines[at]
  const suggestions = useSuggestions(resource, line)
  const next = lines[at + 1] ?? lines[at - 1]
  // What comes next is looked up while somebody still looks at this one.
  useSuggestions(resource, next)
  const work = useTaking(resource, line, () => setChosen(next?.id))
  const list = useFocusedList(line?.id)
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  if (!line) return <Done choose={choose} />
  const move = (by: number): void =>
    setChosen(lines[Math.min(Math.max(0, at + by), lines.length - 1)]?.id)
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    const number = Number(event.key)
    const taken = event.key === 'Enter' ? 1 : number
    if (step !== undefined) move(step)
    else if (suggestions.data?.[taken - 1]) void work.take(suggestions.data[taken - 1]!)
    else return
    event.preventDefault()
  }
  const fitting = fittingOf(lines)
  return (
    <div className="matching">
      <div className="bank-lines">
        <div className="bank-lines-head">
          <span>{PAGES.linesOf(String(lines.length), String(data.total))}</span>
          {fitting.length > 1 ? (
            <Button busy={work.isBusy} onClick={() => void work.takeAll(fitting)}>
              {PAGES.matchAll(String(fitting.length))}
            </Button>
          ) : null}
        </div>
        <div
          ref={list}
          className="line-list"
          role="listbox"
          tabIndex={0}
          aria-label={PAGES.lines}
          aria-activedescendant={`line-${line.id}`}
          onKeyDown={press}
        >
          {lines.map((one) => (
            <Line
              key={one.id}
              line={one}
              isChosen={one === line}
              onChoose={() => setChosen(one.id)}
            />
          ))}
        </div>
        <Keys />
      </div>
      <LinePanel
        key={line.id}
        resource={resource}
        line={line}
        suggestions={suggestions.data}
        isBusy={work.isBusy}
        onTake={(one) => void work.take(one)}
        onDone={() => {
          setChosen(next?.id)
          list.current?.focus()
        }}
      />
    </div>
  )
}

/** The list of lines, which keeps the keys and the chosen line in sight. */
function useFocusedList(chosen: string | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen === undefined) return
    const active = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    active?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body || list.current?.contains(document.activeElement))
      list.current?.focus({ preventScroll: true })
  }, [chosen])
  return list
}

/** Lines whose suggestion no line before them has too. */
function fittingOf(lines: readonly BankLine[]): readonly BankLine[] {
  return lines.filter(
    ({ suggested_payment }, index) =>
      suggested_payment !== null &&
      lines.findIndex((one) => one.suggested_payment === suggested_payment) === index,
  )
}

interface LineProps {
  readonly line: BankLine
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Line({ line, isChosen, onChoose }: LineProps): ReactElement {
  const { formats } = useDesk()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys move in the list
    <div
      id={`line-${line.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onChoose}
    >
      <time dateTime={line.date}>{formatDate(line.date, formats)}</time>
      <span className="line-text">
        <strong>{line.bank_party_name || line.description || line.id}</strong>
        <span className="quiet">
          {line.bank_party_name ? line.description : (line.reference_number ?? '')}
        </span>
      </span>
      <span className="line-amount" data-in={line.amount > 0}>
        {amountOf(line, formats)}
      </span>
      <span className="line-mark" title={line.suggested_payment ? PAGES.fits : undefined}>
        {line.suggested_payment ? (
          <>
            <Icon name="sparkles" size={14} />
            <span className="visually-hidden">{PAGES.fits}</span>
          </>
        ) : null}
      </span>
    </div>
  )
}

/** The keys of the page, for who looks for them. */
function Keys(): ReactElement {
  return (
    <p className="bank-keys quiet">
      <kbd>↑</kbd> <kbd>↓</kbd> {PAGES.keyMove} <kbd>Enter</kbd> {PAGES.keyTake} <kbd>1</kbd>–
      <kbd>9</kbd> {PAGES.keyOther}
    </p>
  )
}

/** Takes suggestions; what fails is told, and what was matched can be taken back. */
function useTaking(resource: ResourceInfo, line: BankLine | undefined, goOn: () => void) {
  const { run } = useActions(resource.slug)
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const taken = useRef(new Set<string>())
  const undo = resource.actions.find(({ name }) => name === 'unmatch')?.name
  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      tell((error as Error).message, 'problem')
    } finally {
      setBusy(false)
    }
  }
  return {
    isBusy,
    take: ({ action, input, title, books }: Suggestion) =>
      attempt(async () => {
        // A second press while the first is on its way takes nothing more.
        if (!line || taken.current.has(line.id)) return
        taken.current.add(line.id)
        try {
          await run(line.id, action, input)
        } finally {
          taken.current.delete(line.id)
        }
        goOn()
        const back =
          undo === undefined || books ? undefined : () => void attempt(() => run(line.id, undo))
        tell(PAGES.matched(title), 'done', back)
      }),
    takeAll: (lines: readonly BankLine[]) =>
      attempt(async () => {
        for (const { id } of lines) await run(id, 'match_suggested')
        tell(PAGES.matchedAll(String(lines.length)))
      }),
  }
}

function Done({ choose }: { choose: ReactNode }): ReactElement {
  return (
    <div className="empty bank-done">
      <Icon name="circle-check" size={40} />
      <h2>{PAGES.allMatched}</h2>
      <p className="quiet">{PAGES.dropStatement}</p>
      {choose}
    </div>
  )
}
