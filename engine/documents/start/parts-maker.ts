import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Program } from '../../rules/program/program.ts'
import type { Database } from '../../storage/database/database.ts'
import { recordStore } from '../../storage/records/record-store.ts'
import { docTable } from '../../storage/records/tables.ts'
import { acyclicLinksOf } from '../links/acyclic-links.ts'
import { bondedLinksOf } from '../links/bonds.ts'
import { linkFieldsOf } from '../record/outgoing-links.ts'
import type { DocTypeParts, KnownParts, Services } from '../work/context.ts'
import { createPresenter } from '../work/present.ts'

/** Parts for who knows a DocType as this. */
function knownParts(program: Program, definition: DocTypeDefinition): KnownParts {
  const plan = docTable(definition)
  const validator = program.validatorOf(definition)
  return { definition, plan, validator, presenter: createPresenter(plan) }
}

/** Makes the parts of DocTypes, each at its first use. */
export function partsMaker(program: Program, database: Database): Services['partsOf'] {
  const { registry } = program
  const parts = new Map<string, DocTypeParts>()

  return ({ doctype }) => {
    const known = parts.get(doctype)
    if (known) return known
    const definition = registry.byDoctype(doctype)!
    const plan = docTable(definition)
    const views = new Map<DocTypeDefinition, KnownParts>()
    const made: DocTypeParts = {
      definition,
      plan,
      store: recordStore(plan, database.read, database.kind),
      validator: program.validatorOf(definition),
      presenter: createPresenter(plan),
      behaviour: program.behaviourOf(definition),
      links: linkFieldsOf(definition),
      acyclicLinks: acyclicLinksOf(definition),
      bonds: bondedLinksOf(definition, registry),
      inputValidator: (action) => program.inputValidatorOf(definition, action),
      as(view) {
        if (view === definition) return made
        const of = views.get(view) ?? knownParts(program, view)
        views.set(view, of)
        return of
      },
    }
    parts.set(doctype, made)
    return made
  }
}
