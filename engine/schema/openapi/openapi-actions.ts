import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { actionLabel, callableActions, createdBy } from '../shapes/catalog-actions.ts'
import { mustBeSent } from '../shapes/json-schema.ts'
import { actionExample } from '../shapes/openapi-examples.ts'
import type { SchemaNames } from '../shapes/schema-names.ts'
import { tellExpressions } from '../shapes/told-expression.ts'
import { failures } from './openapi-errors.ts'
import {
  bodyOf,
  CHANGE_PARAMETERS,
  OF_RECORD,
  type Paths,
  parameter,
  ref,
} from './openapi-paths.ts'

type Components = Readonly<Record<string, JsonSchema>>

/** Paths of actions, `POST /v1/{slug}/{id}/actions/{name}`, for each a caller may run. */
export function actionPaths(
  definition: DocTypeDefinition,
  names: SchemaNames,
  tag: string,
  registry: Registry,
): Paths {
  const { slug, label } = definition
  const tell = tellExpressions(definition)
  return Object.fromEntries(
    callableActions(definition).map(([name, declared]) => {
      const shape = names.action(definition, name)
      const creates = createdBy(registry, declared)
      const answer = `${names.record(definition)}${creates.length > 0 ? 'Acted' : 'Record'}`
      const { input = [] } = declared
      const operation = {
        tags: [tag],
        operationId: `run${shape}`,
        summary: `${label}: ${actionLabel(name, declared)}`,
        ...described({ ...declared, when: tell(declared.when) }, creates),
        parameters: CHANGE_PARAMETERS,
        ...(input.length === 0
          ? {}
          : {
              requestBody: {
                ...bodyOf(`${shape}Input`, actionExample(input)),
                required: input.some(mustBeSent),
              },
            }),
        responses: { '200': ref('responses', answer), ...failures(OF_RECORD) },
      }
      return [
        `/v1/${slug}/{id}/actions/${name}`,
        { parameters: [parameter('Id')], post: operation },
      ]
    }),
  )
}

function described(
  { description, when }: { readonly description?: string; readonly when: string | undefined },
  creates: readonly string[],
): { readonly description: string } {
  const parts = [
    description,
    when === undefined ? undefined : `Possible while \`${when}\`, else 409.`,
    creates.length === 0 ? undefined : `May create ${creates.join(', ')}.`,
  ].filter((part) => part !== undefined)
  return { description: parts.join(' ') || 'All steps of it happen, or none.' }
}

/** Answers of actions that create records: one for each DocType that has such an action. */
export function actedResponses(registry: Registry, names: SchemaNames): Components {
  return Object.fromEntries(
    creatingDefinitions(registry).map((definition) => {
      const name = names.record(definition)
      return [
        `${name}Acted`,
        {
          description: 'With what was created',
          content: {
            'application/json': {
              schema: { allOf: [ref('schemas', name), ref('schemas', 'WithCreated')] },
            },
          },
        },
      ]
    }),
  )
}

/** Shapes that only actions use; none where no action creates anything. */
export function actionSchemas(registry: Registry): Components {
  if (creatingDefinitions(registry).length === 0) return {}
  return { WithCreated: WITH_CREATED }
}

function creatingDefinitions(registry: Registry): readonly DocTypeDefinition[] {
  return registry.all.filter((definition) =>
    callableActions(definition).some(([, declared]) => createdBy(registry, declared).length > 0),
  )
}

const WITH_CREATED: JsonSchema = {
  type: 'object',
  properties: {
    _created: {
      type: 'array',
      description: 'What the action created, in the order of its steps; absent when nothing was',
      items: {
        type: 'object',
        required: ['resource', 'doctype', 'id'],
        properties: {
          as: { type: 'string', description: 'What the action calls it' },
          resource: { type: 'string', description: 'Slug of its resource' },
          doctype: { type: 'string' },
          id: { type: 'string' },
        },
      },
    },
  },
}
