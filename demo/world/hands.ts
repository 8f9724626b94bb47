import { createUnlessThere } from '../../cli/setup/masters.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { YamlMap } from '../../engine/definition/yaml/source.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { type SetNames, setNames } from '../../engine/documents/record/named-records.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Engine } from '../../engine/index.ts'
import type { DemoCompany } from './company.ts'

/** A record as a client sees it. The story knows what it wrote, so values are not typed. */
// biome-ignore lint/suspicious/noExplicitAny: what a field holds is for the story to say
export type Shown = Readonly<Record<string, any>> & { readonly id: string }

/** The operations of a workspace, each in the name of an account of the company (`by`, its key). */
export interface Hands {
  create(by: string, doctype: string, body: object): Promise<Shown>
  /** False when a record of this name is there already. */
  createUnlessThere(doctype: string, body: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Creates and submits. */
  make(by: string, doctype: string, body: object): Promise<Shown>
  submit(by: string, doctype: string, id: string): Promise<Shown>
  cancel(by: string, doctype: string, id: string): Promise<Shown>
  update(by: string, doctype: string, id: string, body: object): Promise<Shown>
  act(by: string, doctype: string, id: string, action: string, input: object): Promise<Shown>
  draftOf(by: string, doctype: string, id: string, action: string, input: object): Promise<Shown>
}

/**
 * Tiers gate requests, never what is stored (contract §3, Tiers): the story writes every module, whatever the
 * workspace's tier shows of it.
 */
const TIER = 'business'

/** The hands of the company's people on an open workspace; `names` says what its accounts and warehouses are called there. */
export function handsOn(
  engine: Engine,
  { accounts }: DemoCompany,
  names: SetNames = setNames(engine.services.registry),
): Hands {
  const { registry } = engine.services

  function definitionOf(doctype: string): DocTypeDefinition {
    const found = registry.byDoctype(doctype)
    if (found) return found
    throw new Error(`the loaded definitions have no DocType ${doctype}`)
  }

  function named(doctype: string, body: object): YamlMap {
    return names.resolved(definitionOf(doctype), body as YamlMap)
  }

  function contextOf(by: string): Context {
    return engine.context({ ...SYSTEM_ACTOR, name: accounts[by]!.email }, TIER)
  }

  const hands: Hands = {
    async create(by, doctype, body) {
      return shown(await createDocument(contextOf(by), definitionOf(doctype), named(doctype, body)))
    },
    createUnlessThere: (doctype, body) =>
      createUnlessThere(contextOf('owner'), definitionOf(doctype), named(doctype, body)),
    async make(by, doctype, body) {
      const draft = await hands.create(by, doctype, body)
      return hands.submit(by, doctype, draft.id)
    },
    async submit(by, doctype, id) {
      return shown(await submitDocument(contextOf(by), definitionOf(doctype), id))
    },
    async cancel(by, doctype, id) {
      return shown(await cancelDocument(contextOf(by), definitionOf(doctype), id))
    },
    async update(by, doctype, id, sent) {
      const body = named(doctype, sent)
      return shown(await updateDocument(contextOf(by), definitionOf(doctype), id, body))
    },
    async act(by, doctype, id, action, sent) {
      const definition = definitionOf(doctype)
      const fields = definition.behaviour.actions?.[action]?.input ?? []
      const input = names.resolved({ ...definition, fields }, sent as YamlMap)
      return shown(await runAction(contextOf(by), definition, id, action, input))
    },
    async draftOf(by, doctype, id, action, input) {
      const { _created: created } = await hands.act(by, doctype, id, action, input)
      const [draft] = created as readonly { readonly doctype: string; readonly id: string }[]
      if (!draft) throw new Error(`${action} of ${doctype} ${id} created nothing`)
      return shown(await getDocument(contextOf(by), definitionOf(draft.doctype), draft.id))
    },
  }
  return hands
}

function shown({ record }: DocumentResult): Shown {
  return record as Shown
}
