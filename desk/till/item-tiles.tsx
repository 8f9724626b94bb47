import {
  type ReactElement,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORK } from '../words/work/en.ts'
import { loadItems } from './load-till.ts'
import { money } from './money.ts'
import type { TillItem } from './till-types.ts'

/** Tiles drawn at most; the box finds the others. */
const MOST_TILES = 60

interface ItemTilesProps {
  readonly items: readonly TillItem[]
  readonly part: PagePart
  readonly isOffline: boolean
  readonly onAdd: (item: TillItem) => void
}

/** Items as tiles, by group; a box that finds them by name, code and barcode, and takes what a scanner types. */
export function ItemTiles({ items, part, isOffline, onAdd }: ItemTilesProps): ReactElement {
  const [text, setText] = useState('')
  const [group, setGroup] = useState('')
  const [missed, setMissed] = useState('')
  const held = useRef('')
  const takeHeld = useEffectEvent(() => {
    const code = held.current
    held.current = ''
    if (code !== '') void take(code)
  })
  useEffect(() => {
    if (items.length > 0) takeHeld()
  }, [items])
  const box = useTypedInto()
  const find = useFind(part, isOffline)
  const shown = useMemo(() => {
    const sought = text.trim().toLowerCase()
    return items.filter((item) =>
      sought === '' ? group === '' || item.group === group : isFound(item, sought),
    )
  }, [items, text, group])

  async function take(typed: string): Promise<void> {
    const sought = typed.trim()
    if (sought === '') return
    // A code that is read before the items are there waits for them.
    if (items.length === 0) {
      held.current = sought
      return
    }
    const exact = items.find((item) => isExactly(item, sought))
    const found = exact ?? (shown.length === 1 ? shown[0] : undefined) ?? (await find(sought))
    setMissed(found ? '' : sought)
    if (!found) return
    onAdd(found)
    setText('')
  }

  return (
    <section className="till-items" aria-label={WORK.items}>
      <div className="till-find">
        <Icon name="search" size={16} />
        <input
          ref={box}
          type="search"
          data-search
          aria-label={WORK.findItem}
          placeholder={WORK.findItem}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setMissed('')
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void take(event.currentTarget.value)
          }}
        />
      </div>
      <p role="status" className="till-missed">
        {missed === '' ? '' : WORK.noItem(missed)}
      </p>
      <Groups
        items={items}
        group={group}
        onChoose={(one) => {
          setGroup(one)
          setText('')
        }}
      />
      <Tiles items={shown} isOffline={isOffline} onAdd={onAdd} />
    </section>
  )
}

interface GroupsProps {
  readonly items: readonly TillItem[]
  readonly group: string
  readonly onChoose: (group: string) => void
}

/** The groups of the items, where there are several. */
function Groups({ items, group, onChoose }: GroupsProps): ReactElement | null {
  const groups = useMemo(
    () => [...new Set(items.map((item) => item.group))].filter(Boolean).sort(),
    [items],
  )
  if (groups.length < 2) return null
  return (
    <fieldset className="till-groups" aria-label={WORK.groups}>
      {['', ...groups].map((one) => (
        <button key={one} type="button" aria-pressed={group === one} onClick={() => onChoose(one)}>
          {one === '' ? WORK.allItems : one}
        </button>
      ))}
    </fieldset>
  )
}

/** Items as tiles; without the network only those whose price is known can be sold. */
function Tiles({ items, isOffline, onAdd }: Omit<ItemTilesProps, 'part'>): ReactElement {
  const { formats } = useDesk()
  return (
    <ul className="till-tiles">
      {items.slice(0, MOST_TILES).map((item) => (
        <li key={item.id}>
          <button
            type="button"
            disabled={isOffline && item.price === undefined}
            onClick={() => onAdd(item)}
          >
            <strong>{item.title}</strong>
            <span className="quiet">{item.id}</span>
            <span className="till-price">
              {item.price === undefined ? '–' : money(item.price, formats)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function isExactly({ id, codes }: TillItem, sought: string): boolean {
  return codes.includes(sought) || id.toLowerCase() === sought.toLowerCase()
}

function isFound({ id, title, codes }: TillItem, sought: string): boolean {
  return (
    title.toLowerCase().includes(sought) ||
    id.toLowerCase().includes(sought) ||
    codes.some((code) => code.startsWith(sought))
  )
}

/** Finds an item that the till does not keep: the first that the server finds by the text. */
function useFind(
  part: PagePart,
  isOffline: boolean,
): (text: string) => Promise<TillItem | undefined> {
  const { client, entryOf } = useDesk()
  return async (text) => {
    if (isOffline) return undefined
    const query = new URLSearchParams([...new URLSearchParams(part.filter), ['q', text]])
    const title = entryOf(part.resource)?.title_field ?? 'id'
    const found = await loadItems(client, { ...part, filter: `${query}` }, title).catch(() => [])
    return found.length === 1 ? found[0] : undefined
  }
}

/** Takes what is typed while no field has the focus into the box: a scanner types, and ends with Enter. */
function useTypedInto() {
  const box = useRef<HTMLInputElement>(null)
  // Before the page is shown: a scanner does not wait.
  useLayoutEffect(() => {
    function press({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
      const isField =
        target instanceof HTMLElement && target.closest('input, textarea, select, dialog')
      if (isField || key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return
      box.current?.focus()
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
  return box
}
