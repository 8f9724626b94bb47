import type {
  ActionStep,
  CreatedRows,
  CreateStep,
  DocTypeDefinition,
  Field,
  PostedRows,
  PostStep,
  SetDeclaration,
} from '../definition/definition.ts'
import { isFieldName, type Scope, withRecord } from '../expression/scope.ts'
import type { ValueType } from '../expression/types.ts'
import { type LinkPath, linkPathsOf } from './reads.ts'
import { rowFields, valueType } from './scopes.ts'
import type { CompileContext, CompiledRule, RuleProblem } from './steps.ts'

/** An expression together with the links it looks through. */
export interface StepRule extends CompiledRule {
  readonly paths: readonly LinkPath[]
}

/** Field of the target ← expression. */
export interface Assignment {
  readonly field: Field
  readonly type: ValueType
  readonly rule: StepRule
}

/** Rows made from each row of a table, or once. */
export interface RowsPlan {
  readonly each: string | undefined
  readonly as: string
  readonly if: StepRule | undefined
  readonly group: readonly string[] | undefined
  readonly set: readonly Assignment[]
}

export interface PostPlan {
  readonly kind: 'post'
  readonly if: StepRule | undefined
  readonly ledger: DocTypeDefinition
  readonly rows: readonly RowsPlan[]
  readonly date: StepRule | undefined
  readonly rounding: { readonly max: number; readonly set: readonly Assignment[] } | undefined
}

export interface CreatePlan {
  readonly kind: 'create'
  readonly if: StepRule | undefined
  readonly doctype: DocTypeDefinition
  readonly as: string | undefined
  readonly set: readonly Assignment[]
  readonly tables: readonly { readonly field: Field; readonly rows: readonly RowsPlan[] }[]
  readonly submit: boolean
}

export interface SetPlan {
  readonly kind: 'set'
  readonly if: StepRule | undefined
  readonly set: readonly Assignment[]
}

export interface SubmitPlan {
  readonly kind: 'submit'
  readonly if: StepRule | undefined
  readonly name: string
}

export type StepPlan = PostPlan | CreatePlan | SetPlan | SubmitPlan

const CONDITION: ValueType = { kind: 'bool', scale: 0 }
const DATE: ValueType = { kind: 'date', scale: 0 }

/** Compiles steps in order; what a step creates can be named by the later ones. */
export function compileSteps(
  context: CompileContext,
  steps: readonly ActionStep[],
  start: Scope,
  path: RuleProblem['path'],
  problem: (path: RuleProblem['path'], message: string) => void,
): readonly StepPlan[] {
  const plans: StepPlan[] = []
  const created = new Set<string>()
  let scope = start
  for (const [index, step] of steps.entries()) {
    const compiler = new StepCompiler(context, scope, [...path, index], problem)
    const kinds = ['post', 'create'].filter((key) => key in step)
    if (kinds.length > 1) problem([...path, index], 'a step does one thing: post or create')
    else if ('post' in step) push(plans, compiler.post(step))
    else if ('create' in step) {
      push(plans, compiler.create(step))
      const { as } = step
      const target = context.registry.byDoctype(step.create)
      if (as !== undefined && target && isFieldName(as)) {
        scope = withRecord(scope, as, context.scopes.of(target).document.fields)
        created.add(as)
      }
    } else if ('submit' in step) {
      if (typeof step.submit !== 'string' || !created.has(step.submit))
        problem([...path, index, 'submit'], 'expected the `as` of an earlier step')
      else plans.push({ kind: 'submit', if: compiler.condition(step.if), name: step.submit })
    } else if ('set' in step) {
      const set = compiler.assignments(step.set, context.definition.fields, ['set'])
      plans.push({ kind: 'set', if: compiler.condition(step.if), set })
    } else problem([...path, index], 'needs one of post, create, set or submit')
  }
  return plans
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item)
}

/** Compiles the parts of one step in the scope it stands in. */
class StepCompiler {
  readonly #context: CompileContext
  readonly #scope: Scope
  readonly #path: RuleProblem['path']
  readonly #problem: (path: RuleProblem['path'], message: string) => void

  constructor(
    context: CompileContext,
    scope: Scope,
    path: RuleProblem['path'],
    problem: (path: RuleProblem['path'], message: string) => void,
  ) {
    this.#context = context
    this.#scope = scope
    this.#path = path
    this.#problem = problem
  }

  #rule(
    source: string,
    scope: Scope,
    type: ValueType,
    path: RuleProblem['path'],
  ): StepRule | undefined {
    const { compile, definition } = this.#context
    const rule = compile(source, scope, type, [...this.#path, ...path])
    return rule && { ...rule, paths: linkPathsOf(rule.expression, definition.fields) }
  }

  condition(source: string | undefined): StepRule | undefined {
    return source === undefined ? undefined : this.#rule(source, this.#scope, CONDITION, ['if'])
  }

  assignments(
    set: SetDeclaration,
    fields: readonly Field[],
    path: RuleProblem['path'],
    scope: Scope = this.#scope,
  ): readonly Assignment[] {
    return Object.entries(set).flatMap(([name, source]): Assignment[] => {
      const field = fields.find((candidate) => candidate.name === name)
      const at = [...this.#path, ...path, name]
      if (!field) {
        const known = fields.map((candidate) => candidate.name).join(', ')
        this.#problem(at, `no field ${JSON.stringify(name)} (have: ${known})`)
        return []
      }
      const computed = (['formula', 'rollup'] as const).find((key) => field[key] !== undefined)
      if (field.child || computed !== undefined) {
        this.#problem(at, `cannot be set: it ${field.child ? 'is a table' : `has ${computed}`}`)
        return []
      }
      const type = valueType(field)
      const rule = this.#rule(source, scope, type, [...path, name])
      return rule ? [{ field, type, rule }] : []
    })
  }

  post(step: PostStep): PostPlan | undefined {
    const ledger = this.#context.registry.byDoctype(step.post)
    if (!ledger?.behaviour.ledger) {
      this.#problem(
        [...this.#path, 'post'],
        `expected a DocType with \`ledger\`, got ${JSON.stringify(step.post)}`,
      )
      return undefined
    }
    const { date, rounding } = step
    return {
      kind: 'post',
      if: this.condition(step.if),
      ledger,
      rows: step.rows.map((rows, index) => this.#rows(rows, ledger.fields, ['rows', index])),
      date: date === undefined ? undefined : this.#rule(date, this.#scope, DATE, ['date']),
      rounding: rounding && {
        max: rounding.max,
        set: this.assignments(rounding.set, ledger.fields, ['rounding', 'set']),
      },
    }
  }

  create(step: CreateStep): CreatePlan | undefined {
    const doctype = this.#context.registry.byDoctype(step.create)
    if (!doctype || doctype.isChild || doctype.behaviour.ledger) {
      this.#problem(
        [...this.#path, 'create'],
        `expected a DocType with records of its own, got ${JSON.stringify(step.create)}`,
      )
      return undefined
    }
    if (step.submit === true && !doctype.submittable)
      this.#problem([...this.#path, 'submit'], `${step.create} is not submittable`)
    const tables = Object.entries(step.rows ?? {}).flatMap(([table, declared]) => {
      const field = doctype.fields.find(({ name }) => name === table)
      if (!field?.child) {
        this.#problem([...this.#path, 'rows', table], `${step.create} has no table ${table}`)
        return []
      }
      const list: readonly CreatedRows[] = Array.isArray(declared) ? declared : [declared]
      const rows = list.map((one, index) => {
        const path = Array.isArray(declared) ? ['rows', table, index] : ['rows', table]
        return this.#rows(one, field.child!.fields, path)
      })
      return [{ field, rows }]
    })
    return {
      kind: 'create',
      if: this.condition(step.if),
      doctype,
      as: step.as,
      set: this.assignments(step.set ?? {}, doctype.fields, ['set']),
      tables,
      submit: step.submit === true,
    }
  }

  #rows(
    rows: PostedRows | CreatedRows,
    fields: readonly Field[],
    path: RuleProblem['path'],
  ): RowsPlan {
    const { each, as = 'row' } = rows
    const { definition, scopes } = this.#context
    let scope = this.#scope
    if (each !== undefined) {
      const table = definition.fields.find(({ name }) => name === each)
      if (table?.child) {
        const columns = rowFields(scopes.of(definition), each)
        scope = { ...withRecord(scope, as, columns), repeat: table.child.maxRows }
      } else this.#problem([...this.#path, ...path, 'each'], `no table ${JSON.stringify(each)}`)
    }
    const group = 'group' in rows ? rows.group : undefined
    for (const [index, name] of (group ?? []).entries()) {
      if (!Object.hasOwn(rows.set, name))
        this.#problem([...this.#path, ...path, 'group', index], `set has no ${name} to group by`)
    }
    return {
      each,
      as,
      if:
        rows.if === undefined ? undefined : this.#rule(rows.if, scope, CONDITION, [...path, 'if']),
      group,
      set: this.assignments(rows.set, fields, [...path, 'set'], scope),
    }
  }
}
