import type { Hands, Shown } from '../world/hands.ts'
import { workdayFrom } from './days.ts'

/**
 * One thread of the story, such as an order from the first word to its payment: a generator that yields what
 * it does next. Many of them run side by side, in a fixed order (play.ts), so a flow has no effect of its own.
 */
export type Flow<T = void> = Generator<Step, T, Shown>

export type Step =
  /** Something is written; the flow goes on with the record it gives. */
  | {
      readonly kind: 'write'
      readonly what: string
      readonly run: (hands: Hands) => Promise<Shown>
    }
  /** Nothing happens until this day. */
  | { readonly kind: 'wait'; readonly until: string }
  /** Another thread begins. */
  | { readonly kind: 'begin'; readonly flow: Flow }

/** Goes on at this day, or on the next working day when it is none. */
export function* until(day: string): Flow {
  yield { kind: 'wait', until: workdayFrom(day) }
}

/** Goes on at exactly this day, working day or not. */
export function* untilDay(day: string): Flow {
  yield { kind: 'wait', until: day }
}

export function* begin(flow: Flow): Flow {
  yield { kind: 'begin', flow }
}

/** Creates a record in the name of an account of the company. */
export function* create(by: string, doctype: string, body: object): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `create ${doctype}`,
    run: (hands) => hands.create(by, doctype, body),
  }
}

/** Creates a document and submits it. */
export function* make(by: string, doctype: string, body: object): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `make ${doctype}`,
    run: (hands) => hands.make(by, doctype, body),
  }
}

export function* submit(by: string, doctype: string, id: string): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `submit ${doctype} ${id}`,
    run: (hands) => hands.submit(by, doctype, id),
  }
}

export function* cancel(by: string, doctype: string, id: string): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `cancel ${doctype} ${id}`,
    run: (hands) => hands.cancel(by, doctype, id),
  }
}

export function* update(by: string, doctype: string, id: string, body: object): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `update ${doctype} ${id}`,
    run: (hands) => hands.update(by, doctype, id, body),
  }
}

/** Runs an action; the record as it is afterwards. */
export function* act(
  by: string,
  doctype: string,
  id: string,
  action: string,
  input: object = {},
): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `${action} of ${doctype} ${id}`,
    run: (hands) => hands.act(by, doctype, id, action, input),
  }
}

/** Runs an action that creates one record, e.g. the draft invoice of an order, and gives that one. */
export function* draftOf(
  by: string,
  doctype: string,
  id: string,
  action: string,
  input: object = {},
): Flow<Shown> {
  return yield {
    kind: 'write',
    what: `${action} of ${doctype} ${id}`,
    run: (hands) => hands.draftOf(by, doctype, id, action, input),
  }
}
