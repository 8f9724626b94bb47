import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import {
  addField,
  changeField,
  fieldsOf,
  isWords,
  labelOf,
  moveField,
  nameOf,
  removeField,
  sectionsOf,
} from './changes.ts'
import { ofType, resolved } from './grammar.ts'
import type { Grammar, StudioInfo, Words } from './studio-types.ts'
import { WordsEditor } from './value-editor.tsx'

interface FormPartProps {
  readonly info: StudioInfo
  readonly definition: Words
  readonly base: Words | undefined
  readonly onChange: (definition: Words) => void
  /** Name of the table whose rows these are; undefined for the form itself. */
  readonly table?: string
}

/** Words of a field that are always there to be filled. */
const USUAL = [
  'type',
  'label',
  'options',
  'required',
  'filterable',
  'default',
  'section',
  'description',
]
const OF_ROWS = ['type', 'label', 'options', 'required', 'default', 'description']

/** The form as it stands: its sections and fields, each of which opens with what is said of it. */
export function FormPart(props: FormPartProps): ReactElement {
  const { definition, base, onChange, table } = props
  const [chosen, setChosen] = useState<string>()
  const fields = fieldsOf(definition)
  const open = chosen !== undefined && fields[chosen] ? chosen : undefined
  const form = useRef<HTMLDivElement>(null)
  const moved = useRef<string>(undefined)
  // A field that opens another section by its move is drawn anew: the focus goes with it.
  useEffect(() => {
    if (moved.current === undefined) return
    form.current?.querySelector<HTMLElement>(`[data-field="${moved.current}"]`)?.focus()
    moved.current = undefined
  })
  const press = (name: string) => (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    moved.current = name
    onChange(moveField(definition, name, by))
  }
  return (
    <div className="studio-form" ref={form} data-open={open !== undefined}>
      <div className="studio-fields">
        {sectionsOf(definition).map(({ heading, fields: own }, at) => (
          <section key={`${at} ${heading}`} className="studio-section">
            {heading === undefined ? null : <h3>{heading}</h3>}
            <ul>
              {own.map(({ name, field }) => (
                <li key={name}>
                  <button
                    type="button"
                    className="studio-field"
                    aria-pressed={name === open}
                    data-field={name}
                    data-hidden={field.hidden === true}
                    onKeyDown={press(name)}
                    onClick={() => setChosen(name === open ? undefined : name)}
                  >
                    <span>
                      {labelOf(name, field)}
                      {field.required === true ? <b aria-hidden="true"> *</b> : null}
                    </span>
                    <small>{String(field.type ?? '')}</small>
                    {field.hidden === true ? <Icon name="eye-off" size={14} /> : null}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <NewField
          info={props.info}
          table={table}
          taken={(name) => Object.hasOwn(fields, name)}
          onAdd={(name, type) => {
            onChange(addField(definition, name, { type }))
            setChosen(name)
          }}
        />
      </div>
      {open === undefined ? null : (
        <FieldPanel
          key={open}
          {...props}
          name={open}
          base={fieldsOf(base ?? {})[open]}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  )
}

interface NewFieldProps {
  readonly info: StudioInfo
  readonly table: string | undefined
  readonly taken: (name: string) => boolean
  readonly onAdd: (name: string, type: string) => void
}

function NewField({ info, table, taken, onAdd }: NewFieldProps): ReactElement {
  const [typed, setTyped] = useState('')
  const [type, setType] = useState('data')
  const name = nameOf(typed)
  const isTaken = name !== '' && taken(name)
  const of = (word: string): string => (table === undefined ? word : `${word} · ${table}`)
  return (
    <form
      className="new-field"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (name === '' || isTaken) return
        onAdd(name, type)
        setTyped('')
      }}
    >
      <TextField
        label={of(PAGES.studioNewField)}
        value={typed}
        onChange={setTyped}
        error={isTaken ? PAGES.studioTaken : undefined}
      />
      <ChoiceField
        label={of(PAGES.studioType)}
        value={type}
        onChange={setType}
        choices={info.types.map((one) => ({ value: one.name, label: labelOf(one.name) }))}
      />
      <Button type="submit" icon="plus">
        {of(PAGES.studioAddField)}
      </Button>
    </form>
  )
}

interface PanelProps extends FormPartProps {
  readonly name: string
  readonly onClose: () => void
}

/** What is said of one field: the usual words first, all others by their names. */
function FieldPanel({
  info,
  definition,
  base,
  onChange,
  name,
  table,
  onClose,
}: PanelProps): ReactElement {
  const whole = info.schema
  const field = fieldsOf(definition)[name] ?? {}
  const node = ofType(resolved({ $ref: '#/definitions/field' }, whole), String(field.type))
  const change = (next: Words): void => onChange(changeField(definition, name, next))
  const label = labelOf(name, field)
  const panel = useRef<HTMLElement>(null)
  // On a phone it stands below all fields.
  useEffect(() => {
    if (matchMedia('(max-width: 900px)').matches) panel.current?.scrollIntoView()
  }, [])
  return (
    <section ref={panel} className="studio-panel" aria-label={label}>
      <header>
        <h3>
          {label} <code>{name}</code>
        </h3>
        <Button icon="arrow-up" onClick={() => onChange(moveField(definition, name, -1))}>
          {PAGES.studioUp}
        </Button>
        <Button icon="arrow-down" onClick={() => onChange(moveField(definition, name, 1))}>
          {PAGES.studioDown}
        </Button>
        {base === undefined ? (
          <Button
            icon="trash-2"
            onClick={() => {
              onChange(removeField(definition, name))
              onClose()
            }}
          >
            {PAGES.studioRemoveField}
          </Button>
        ) : (
          <Button
            icon="eye-off"
            onClick={() => change({ ...field, hidden: field.hidden !== true })}
          >
            {field.hidden === true ? PAGES.studioShow : PAGES.studioHide}
          </Button>
        )}
        <Button onClick={onClose}>{PAGES.studioDone}</Button>
      </header>
      <WordsEditor
        label={label}
        node={field.type === 'table' ? withoutFields(node) : node}
        whole={whole}
        words={field}
        onChange={(next) => change(next)}
        always={table === undefined ? USUAL : OF_ROWS}
        base={base}
      />
      {field.type === 'table' ? (
        <fieldset className="words">
          <legend>{PAGES.studioColumnsOf(label)}</legend>
          <FormPart
            info={info}
            definition={field}
            base={isWords(base) ? base : undefined}
            onChange={(rows) => change(rows)}
            table={label}
          />
        </fieldset>
      ) : null}
    </section>
  )
}

function withoutFields(node: Grammar): Grammar {
  const { fields: _, ...properties } = node.properties ?? {}
  return { ...node, properties }
}
