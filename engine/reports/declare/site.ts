import { expandText, type Telling, type View, wordOf } from '../../definition/lets/expand-text.ts'
import { type ExpandedText, writtenAt } from '../../definition/lets/expanded-text.ts'
import type { Let } from '../../definition/lets/let.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { placeIn } from '../../definition/yaml/origins.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import type { DefinitionProblem } from '../../definition/yaml/problems.ts'
import type { Origin, Places, YamlMap } from '../../definition/yaml/source.ts'
import { compileExpression, type Expression } from '../../expression/expression.ts'
import type { SqlColumn } from '../../expression/sql/sql-fragment.ts'
import { sqlProblem } from '../../expression/sql/to-sql.ts'
import { locate } from '../../expression/tree/problem.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Scopes } from '../../rules/base/scopes.ts'
import type { PlainFields } from './plain-fields.ts'

/** Place of one report: where its mistakes are reported, and its names looked up. */
export interface Site {
  readonly registry: Registry
  readonly scopes: Scopes
  readonly plain: PlainFields
  complain(path: Path, message: string, part?: 'key' | 'value'): void
  /** Compiles what runs in the database; undefined for a mistake, which is reported. */
  inSql(text: string, scope: Scope, type: ValueType | undefined, path: Path): Expression | undefined
  /** Compiles what runs before the statement does. */
  inJs(text: string, scope: Scope, type: ValueType | undefined, path: Path): Expression | undefined
  /** Lets that no expression has named so far. */
  unusedLets(): readonly string[]
}

/** Column that any name stands for, as far as the check goes. */
const COLUMN: SqlColumn = { sql: 'x', nullable: true }

/** Site of a report whose expressions may say these names. */
export function siteOf(
  { data, origins }: { readonly data: YamlMap; readonly origins: readonly Origin[] },
  places: Places,
  { registry, scopes, plain }: Pick<Site, 'registry' | 'scopes' | 'plain'>,
  problems: DefinitionProblem[],
): Site {
  const names = letsOf((data.let ?? {}) as Readonly<Record<string, string>>)
  const view: View = {
    own: { level: { lets: names, lists: new Map(), tables: new Map() }, self: '' },
    heads: new Map(),
  }
  const named = wordOf([...names.keys()])
  const used = new Set<string>()

  function tell(path: Path, text: string, offset: number, message: string): void {
    const place = placeIn(origins, path, 'text', places)
    problems.push({ ...locate(offset, text, place), message })
  }

  const telling: Telling = {
    used: ({ name }) => used.add(name),
    problem: (at, offset, message) => tell(at.path, at.text, offset, message),
    parse: scopes.parse,
  }

  function expanded(text: string, path: Path): ExpandedText | undefined {
    if (!named?.test(text)) return undefined
    return expandText({ doctype: '', path, text }, view, telling)
  }

  function compile(
    written: string,
    scope: Scope,
    type: ValueType | undefined,
    path: Path,
    isForSql: boolean,
  ): Expression | undefined {
    const whole = expanded(written, path)
    const result = compileExpression(whole?.text ?? written, scope, type, scopes.parse)
    const problem = result.ok
      ? isForSql && sqlProblem(result.expression.tree, () => COLUMN)
      : result.problem
    if (!problem) return (result as Extract<typeof result, { ok: true }>).expression
    const { offset, length, message } = problem
    const at = whole && writtenAt(whole, offset, length)
    const from = at?.from ?? { path, text: written }
    const shown = from.text.replace(/\s+/g, ' ').trim()
    tell(from.path, from.text, at?.offset ?? offset, `${message}  in  \`${shown}\``)
    return undefined
  }

  return {
    registry,
    scopes,
    plain,
    complain(path, message, part = 'value') {
      problems.push({ ...placeIn(origins, path, part, places), message })
    },
    inSql: (text, scope, type, path) => compile(text, scope, type, path, true),
    inJs: (text, scope, type, path) => compile(text, scope, type, path, false),
    unusedLets: () => [...names.keys()].filter((name) => !used.has(name)),
  }
}

function letsOf(lets: Readonly<Record<string, string>>): ReadonlyMap<string, Let> {
  return new Map(
    Object.entries(lets).map(([name, text]) => [
      name,
      { doctype: '', path: ['let', name], text, name },
    ]),
  )
}
