import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'

const ref = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` })

/** An entry of the catalogue. */
export const ENTRY_EXAMPLE = {
  slug: 'records',
  doctype: 'Record',
  label: 'Record',
  tier: 'basic',
  module: 'office',
  submittable: false,
  fields: [{ name: 'title', type: 'data', filterable: true, createOnly: false }],
}

/** An API key as lists show it. */
export const KEY_EXAMPLE = {
  id: 'key_0mbx3k2qa7r1c9d8e7f6g5h4i',
  type: 'key',
  user: 'ann@example.com',
  prefix: 'svc_live_',
  last4: 'x7Qd',
  scope: 'write',
  env: 'live',
  label: 'Web shop',
  allow_ips: [],
  created: '2026-01-15T09:30:00.000Z',
  created_by: 'ann@example.com',
  expires: null,
  last_used: null,
}

/** What a caller may do with a resource, in the words of `can`. */
const CAN_WORDS = [
  'read',
  'create',
  'update',
  'delete',
  'submit',
  'cancel',
  'amend',
  'export',
  'import',
]

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const READ_ONLY = {
  type: 'boolean',
  description: 'There for ledgers and balances: only the workspace itself writes their records',
}
const MOMENT = { type: ['string', 'null'], format: 'date-time' }
const TYPE = {
  ...TEXT,
  enum: ['key', 'pair'],
  description: 'A pair is sent as `Authorization: token api_key:api_secret` and acts as its person',
}
const KEY_PROPERTIES = {
  scope: {
    ...TEXT,
    enum: ['read', 'draft', 'write', 'admin'],
    description: 'What the key may do; each includes the ones before. `draft`: drafts only',
  },
  env: { ...TEXT, enum: ['live', 'test'] },
  label: { type: ['string', 'null'], maxLength: 140 },
  allow_ips: {
    type: 'array',
    maxItems: 100,
    items: TEXT,
    description: 'Addresses and ranges it may be used from; empty is everywhere',
  },
  expires: MOMENT,
}

/** Shapes of the routes that belong to no resource. */
export const WORKSPACE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  CatalogueField: {
    type: 'object',
    required: ['name', 'type', 'filterable', 'createOnly'],
    properties: { name: TEXT, type: TEXT, filterable: FLAG, createOnly: FLAG },
  },
  CatalogueEntry: {
    type: 'object',
    required: ['slug', 'label', 'tier', 'module', 'submittable'],
    properties: {
      slug: TEXT,
      doctype: { ...TEXT, description: 'Absent with `brief=1`' },
      label: TEXT,
      tier: { ...TEXT, description: 'Lowest tier that has the resource' },
      locked: { ...FLAG, description: 'Above the tier of the workspace: only with `_locked=1`' },
      module: TEXT,
      submittable: FLAG,
      read_only: READ_ONLY,
      alias_of: { ...TEXT, description: 'The slug it is another name of' },
      fields: {
        type: 'array',
        description: 'Absent with `brief=1`',
        items: ref('schemas', 'CatalogueField'),
      },
    },
  },
  ResourceDetail: {
    type: 'object',
    required: [
      'slug',
      'doctype',
      'label',
      'label_plural',
      'tier',
      'module',
      'submittable',
      'aliases',
      'id_field',
      'title_field',
      'search_fields',
      'list_fields',
      'naming',
      'actions',
      'events',
      'connections',
      'fields',
    ],
    properties: {
      slug: TEXT,
      doctype: TEXT,
      label: TEXT,
      label_plural: TEXT,
      description: TEXT,
      tier: TEXT,
      module: TEXT,
      icon: TEXT,
      submittable: FLAG,
      read_only: READ_ONLY,
      alias_of: TEXT,
      aliases: { type: 'array', items: TEXT },
      id_field: TEXT,
      title_field: TEXT,
      search_fields: { type: 'array', items: TEXT },
      list_fields: { type: 'array', items: TEXT },
      naming: anyObject('How records get their id'),
      actions: { type: 'array', items: ref('schemas', 'ResourceAction') },
      flow: {
        type: 'object',
        description: 'How a chosen status moves',
        required: ['field', 'moves'],
        properties: {
          field: { ...TEXT, description: 'The status field' },
          initial: { ...TEXT, description: 'State of a new record' },
          moves: {
            type: 'array',
            items: {
              type: 'object',
              required: ['from', 'to'],
              properties: {
                from: TEXT,
                to: TEXT,
                roles: {
                  type: 'array',
                  items: TEXT,
                  description: 'Who may besides System Managers; without it whoever may update',
                },
              },
            },
          },
        },
      },
      events: { type: 'array', items: TEXT },
      connections: {
        type: 'array',
        description: 'Fields of other resources that link here',
        items: {
          type: 'object',
          required: ['resource', 'field'],
          properties: { resource: TEXT, field: TEXT, table: TEXT },
        },
      },
      tree: { ...TEXT, description: 'Link to the record above, where records form a tree' },
      views: {
        type: 'object',
        description: 'Ways to look at the list besides its table',
        properties: {
          board: {
            type: 'object',
            description: 'A column for each value of `by`',
            required: ['by'],
            properties: { by: TEXT, card: { type: 'array', items: TEXT }, sum: TEXT },
          },
          calendar: {
            type: 'object',
            description: 'Records in time',
            required: ['start'],
            properties: { start: TEXT, end: TEXT, title: TEXT },
          },
        },
      },
      locked: { ...FLAG, description: 'Above the tier of the workspace; absent where it is not' },
      can: {
        type: 'object',
        description: 'What the caller may do with some of its records at least',
        required: CAN_WORDS,
        properties: Object.fromEntries(CAN_WORDS.map((word) => [word, FLAG])),
      },
      fields: { type: 'array', items: ref('schemas', 'ResourceField') },
    },
  },
  ResourceAction: {
    type: 'object',
    required: ['name', 'label', 'input', 'creates'],
    properties: {
      name: TEXT,
      label: TEXT,
      description: TEXT,
      when: { ...TEXT, description: 'Condition on the record; 409 while it does not hold' },
      input: {
        type: 'array',
        items: ref('schemas', 'ResourceField'),
        description: 'What may be sent',
      },
      creates: {
        type: 'array',
        items: TEXT,
        description: 'Slugs of the resources it may create records of',
      },
    },
  },
  ResourceField: {
    type: 'object',
    required: [
      'name',
      'type',
      'label',
      'filterable',
      'createOnly',
      'required',
      'readOnly',
      'operators',
    ],
    properties: {
      name: TEXT,
      type: TEXT,
      label: TEXT,
      description: TEXT,
      filterable: FLAG,
      createOnly: FLAG,
      required: FLAG,
      readOnly: FLAG,
      unique: FLAG,
      hidden: FLAG,
      operators: {
        type: 'array',
        items: TEXT,
        description: 'Filter operators',
      },
      options: {
        description: 'Values of a select; of a link or a table the DocType of its records or rows',
        oneOf: [{ type: 'array', items: ref('schemas', 'FieldOption') }, TEXT],
      },
      default: { description: 'A text, a number, or true or false, as its type is' },
      default_expression: { ...TEXT, description: 'Evaluated on create when nothing was sent' },
      resource: { ...TEXT, description: 'Slug of the resource a link points to' },
      resource_from: {
        ...TEXT,
        description: 'Field that names the DocType a dynamic link points to',
      },
      fields: {
        type: 'array',
        items: ref('schemas', 'ResourceField'),
        description: 'Fields of the rows of a table',
      },
      widget: TEXT,
      section: TEXT,
      in_list: FLAG,
    },
  },
  FieldOption: {
    type: 'object',
    required: ['value', 'label'],
    properties: {
      value: TEXT,
      label: { ...TEXT, description: "In the caller's language" },
      color: { ...TEXT, description: 'Name of its colour; absent for gray' },
    },
  },
  ApiKey: {
    type: 'object',
    required: Object.keys(KEY_EXAMPLE),
    properties: {
      id: TEXT,
      type: TYPE,
      user: {
        type: ['string', 'null'],
        description: "Whose roles it has; null = the workspace's own",
      },
      prefix: { ...TEXT, description: 'Of a pair its api_key' },
      last4: TEXT,
      ...KEY_PROPERTIES,
      created: { ...TEXT, format: 'date-time' },
      created_by: TEXT,
      last_used: MOMENT,
    },
  },
  ApiKeyCreate: {
    type: 'object',
    required: ['scope'],
    properties: {
      type: TYPE,
      user: { ...TEXT, description: 'Whose pair it is; you, without it' },
      ...KEY_PROPERTIES,
    },
    additionalProperties: false,
  },
  ApiKeyCreated: {
    allOf: [
      ref('schemas', 'ApiKey'),
      {
        type: 'object',
        properties: {
          key: { ...TEXT, description: 'The key itself, shown once' },
          api_key: { ...TEXT, description: 'The open half of a pair' },
          api_secret: { ...TEXT, description: 'The other half, shown once' },
        },
      },
    ],
  },
  Health: { type: 'object', required: ['status'], properties: { status: TEXT } },
}
