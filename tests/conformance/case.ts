import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'

/** One request of a case, and what ERPNext answers to it. */
export interface Step {
  /** DocType that `send` is a new document of. */
  readonly post?: string
  /** Document that is changed: `Sales Order/$order.name`. */
  readonly put?: string
  /** Document that is read. */
  readonly get?: string
  /** Document whose method `run_method` is called; `send` is its input. */
  readonly run?: string
  /** Dotted method that is called with `send`. */
  readonly call?: string
  readonly send?: Readonly<Record<string, unknown>>
  /** Name under which later steps find the answer: `$order.items.0.name`. */
  readonly as?: string
  /** What the answer has; rows by their place. Null: it is not there. A plain value: that is the answer. */
  readonly gives?: unknown
  /** Account → debit less credit that the document leaves in the general ledger. */
  readonly ledger?: Readonly<Record<string, number>>
  /** Item → quantity and value that the document leaves in the stock ledger. */
  readonly stock?: Readonly<Record<string, readonly [number, number]>>
  /** Text of the refusal, which is a 417. */
  readonly refused?: string
}

/** A recorded payload of a client of ERPNext, and what comes of it there. One file each. */
export interface Case extends Step {
  readonly title: string
  /** That ERPNext refuses it as well; else it takes what is refused here. */
  readonly there?: 'refused too'
  /** Why svc answers otherwise, where it does. */
  readonly differs?: string
  readonly steps?: readonly Step[]
}

export interface NamedCase extends Case {
  /** Name of the file without its end. */
  readonly name: string
  readonly steps: readonly Step[]
  /** DocTypes of its documents, and `methods` where it calls one. */
  readonly kinds: readonly string[]
}

const FOLDER = join(import.meta.dirname, 'cases')

/** All cases by the names of their files. */
export function readCases(): readonly NamedCase[] {
  return globSync('*.yaml', { cwd: FOLDER })
    .sort()
    .map((file) => {
      const one = parse(readFileSync(join(FOLDER, file), 'utf8')) as Case
      const steps = one.steps ?? [one]
      return { ...one, name: basename(file, '.yaml'), steps, kinds: kindsOf(steps) }
    })
}

/** How a case comes out beside ERPNext: with the same figures, refused by name where ERPNext takes it, or otherwise. */
export function outcomeOf({ differs, there, steps }: NamedCase): 'same' | 'refused' | 'differs' {
  if (differs !== undefined) return 'differs'
  const isRefused = steps.some(({ refused }) => refused !== undefined)
  return isRefused && there === undefined ? 'refused' : 'same'
}

function kindsOf(steps: readonly Step[]): readonly string[] {
  const kinds = steps.flatMap(({ post, call }) => (call ? ['methods'] : post ? [post] : []))
  return [...new Set(kinds)]
}
