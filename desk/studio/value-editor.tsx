import { type ReactElement, useId, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { CheckField, ChoiceField, LongField, TextField } from '../ui/fields.tsx'
import { PAGES } from '../words/pages/en.ts'
import { isWords, labelOf, withWord } from './changes.ts'
import {
  beginning,
  type Kind,
  kindOf,
  kindsOf,
  resolved,
  typedValue,
  wordsLeft,
} from './grammar.ts'
import type { Grammar, Words } from './studio-types.ts'

interface EditorProps {
  /** What it is called; in a list with its number. */
  readonly label: string
  readonly node: Grammar
  /** The whole grammar, for its references. */
  readonly whole: Grammar
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** Takes it away; without it, it stays. */
  readonly onRemove?: (() => void) | undefined
}

/** Anything the grammar has, edited as it is written: a text, a choice, a list, a map of names, or words of its own. */
export function ValueEditor({ node: written, ...props }: EditorProps): ReactElement {
  const { label, whole, value, onChange, onRemove } = props
  const node = resolved(written, whole)
  const kinds = kindsOf(node, whole)
  const kind = kindOf(value, node, whole)
  const inner = { ...props, node }
  const isWide = kind === 'list' || kind === 'map' || kind === 'words'
  return (
    <div className={isWide ? 'word wide' : 'word'}>
      <Kinded kind={kind} {...inner} />
      <div className="word-tools">
        {kinds.length > 1 && isWide ? (
          <KindChoice label={label} kinds={kinds} kind={kind} node={node} onChange={onChange} />
        ) : null}
        {kinds.length > 1 &&
        !isWide &&
        (value === '' || value === undefined || kind === 'lines') ? (
          <KindChoice label={label} kinds={kinds} kind={kind} node={node} onChange={onChange} />
        ) : null}
        {onRemove ? (
          <IconButton icon="x" label={PAGES.studioRemove(label)} onClick={onRemove} />
        ) : null}
      </div>
    </div>
  )
}

function KindChoice({
  label,
  kinds,
  kind,
  node,
  onChange,
}: Pick<EditorProps, 'label' | 'node' | 'onChange'> & {
  readonly kinds: readonly Kind[]
  readonly kind: Kind
}): ReactElement {
  return (
    <div className="kind-choice">
      {kinds.map((one) => (
        <button
          key={one}
          type="button"
          className="link-button"
          aria-pressed={one === kind}
          aria-label={PAGES.studioWrittenAs(label, PAGES.studioKinds[one])}
          onClick={() => onChange(one === kind ? undefined : beginning(one, node))}
          disabled={one === kind}
        >
          {PAGES.studioKinds[one]}
        </button>
      ))}
    </div>
  )
}

function Kinded({ kind, ...props }: EditorProps & { readonly kind: Kind }): ReactElement {
  const { label, node, value, onChange } = props
  const description = node.description
  if (kind === 'flag')
    return (
      <CheckField
        label={label}
        description={description}
        value={value === true}
        onChange={(checked) => onChange(checked)}
      />
    )
  if (kind === 'choice')
    return (
      <ChoiceField
        label={label}
        description={description}
        value={String(value ?? '')}
        onChange={onChange}
        choices={(node.enum ?? []).map((one) => ({ value: String(one), label: String(one) }))}
      />
    )
  if (kind === 'lines') return <Lines {...props} />
  if (kind === 'list') return <ListEditor {...props} />
  if (kind === 'map') return <MapEditor {...props} />
  if (kind === 'words') return <WordsField {...props} />
  return (
    <TextField
      label={label}
      description={description}
      isNumber={kind === 'number'}
      value={String(value ?? '')}
      onChange={(text) => onChange(typedValue(text, node))}
    />
  )
}

/** A list of texts, one on each line. What is typed is kept as it is until the field is left. */
function Lines({ label, node, value, onChange }: EditorProps): ReactElement {
  const lines = (Array.isArray(value) ? value : []).join('\n')
  const [typed, setTyped] = useState(lines)
  const isSame = linesIn(typed).join('\n') === lines
  return (
    <LongField
      label={label}
      description={`${node.description ?? ''} ${PAGES.studioOnePerLine}`.trim()}
      value={isSame ? typed : lines}
      onChange={(text) => {
        setTyped(text)
        onChange(linesIn(text))
      }}
    />
  )
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function ListEditor({ label, node, whole, value, onChange }: EditorProps): ReactElement {
  const items = Array.isArray(value) ? value : []
  const inner = resolved(node.items ?? {}, whole)
  const kind = kindsOf(inner, whole).at(-1) ?? 'text'
  return (
    <fieldset className="words">
      <legend>{label}</legend>
      {items.map((item, at) => (
        <ValueEditor
          key={at}
          label={`${label} ${at + 1}`}
          node={inner}
          whole={whole}
          value={item}
          onChange={(next) => onChange(items.with(at, next))}
          onRemove={() => onChange(items.filter((_, other) => other !== at))}
        />
      ))}
      <Button icon="plus" onClick={() => onChange([...items, beginning(kind, inner)])}>
        {PAGES.studioAddTo(label)}
      </Button>
    </fieldset>
  )
}

function MapEditor({ label, node, whole, value, onChange }: EditorProps): ReactElement {
  const map = isWords(value) ? value : {}
  const inner = typeof node.additionalProperties === 'object' ? node.additionalProperties : {}
  const of = resolved(inner, whole)
  const [first = 'text'] = kindsOf(of, whole)
  return (
    <fieldset className="words">
      <legend>{label}</legend>
      {Object.entries(map).map(([name, item]) => (
        <ValueEditor
          key={name}
          label={name}
          node={{ ...of, description: '' }}
          whole={whole}
          value={item}
          onChange={(next) => onChange({ ...map, [name]: next })}
          onRemove={() => onChange(withWord(map, name, undefined))}
        />
      ))}
      <NameForm
        label={PAGES.studioNameIn(label)}
        button={PAGES.studioAddTo(label)}
        taken={(name) => Object.hasOwn(map, name)}
        onAdd={(name) => onChange({ ...map, [name]: beginning(first, of) })}
      />
    </fieldset>
  )
}

/** A name and a button that adds something of that name. */
export function NameForm({
  label,
  button,
  taken,
  onAdd,
}: {
  readonly label: string
  readonly button: string
  readonly taken: (name: string) => boolean
  readonly onAdd: (name: string) => void
}): ReactElement {
  const [name, setName] = useState('')
  const isTaken = taken(name.trim())
  return (
    <form
      className="name-form"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (name.trim() === '' || isTaken) return
        onAdd(name.trim())
        setName('')
      }}
    >
      <TextField
        label={label}
        value={name}
        onChange={setName}
        error={isTaken ? PAGES.studioTaken : undefined}
      />
      <Button type="submit" icon="plus">
        {button}
      </Button>
    </form>
  )
}

function WordsField({ label, node, whole, value, onChange }: EditorProps): ReactElement {
  return (
    <fieldset className="words">
      <legend>{label}</legend>
      {node.description ? <p className="quiet">{node.description}</p> : null}
      <WordsEditor
        label={label}
        node={node}
        whole={whole}
        words={isWords(value) ? value : {}}
        onChange={onChange}
      />
    </fieldset>
  )
}

interface WordsProps {
  /** What they are said of. */
  readonly label: string
  readonly node: Grammar
  readonly whole: Grammar
  readonly words: Words
  readonly onChange: (words: Words) => void
  /** Words that are offered, in this order; all of them without it. */
  readonly only?: readonly string[]
  /** Words that are shown even where they say nothing. */
  readonly always?: readonly string[]
  /** What of it comes from elsewhere: it can be given another value, and not be taken away. */
  readonly base?: Words | undefined
}

/** The words that are said, each in its editor, and a choice of those that are not. */
export function WordsEditor({
  label,
  node,
  whole,
  words,
  onChange,
  only,
  always = node.required ?? [],
  base = {},
}: WordsProps): ReactElement {
  const id = useId()
  const isOffered = (word: string): boolean => only === undefined || only.includes(word)
  const said = Object.keys(words).filter((word) => isOffered(word) && node.properties?.[word])
  const shown = [...new Set([...always.filter(isOffered), ...said])]
  const left = wordsLeft(node, words).filter((word) => isOffered(word) && !shown.includes(word))
  return (
    <div className="words-editor">
      {shown.map((word) => (
        <ValueEditor
          key={word}
          label={labelOf(word)}
          node={node.properties?.[word] ?? {}}
          whole={whole}
          value={words[word]}
          onChange={(value) => onChange(withWord(words, word, value))}
          onRemove={
            Object.hasOwn(words, word) && !Object.hasOwn(base, word) && !always.includes(word)
              ? () => onChange(withWord(words, word, undefined))
              : undefined
          }
        />
      ))}
      {left.length > 0 ? (
        <p className="add-word">
          <label htmlFor={id}>{PAGES.studioAddWord(label)}</label>
          <select
            id={id}
            value=""
            onChange={(event) => {
              const word = event.currentTarget.value
              const part = resolved(node.properties?.[word] ?? {}, whole)
              onChange({ ...words, [word]: beginning(kindsOf(part, whole)[0] ?? 'text', part) })
            }}
          >
            <option value="">{PAGES.studioChooseWord}</option>
            {left.map((word) => (
              <option key={word} value={word}>
                {labelOf(word)}
              </option>
            ))}
          </select>
        </p>
      ) : null}
    </div>
  )
}
