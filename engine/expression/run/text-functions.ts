import { type FunctionSpec, viaJs } from './function-spec.ts'

const STR = ['str'] as const
const PRINTABLE = ['str', 'int', 'date', 'datetime', 'time'] as const

/** Characters that `String.prototype.trim` removes. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/** Functions of texts. */
export const TEXT_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'size',
    usage: 'size(text)',
    params: [STR],
    result: 'int',
    method: true,
    js: (text: string) => [...text].length,
    sqlite: ([text]) => `length(${text})`,
    postgres: ([text]) => `length(${text})::bigint`,
  },
  {
    name: 'contains',
    usage: 'contains(text, part)',
    params: [STR, STR],
    result: 'bool',
    method: true,
    js: (text: string, part: string) => text.includes(part),
    sqlite: ([text, part]) => `(instr(${text}, ${part}) > 0)`,
    postgres: ([text, part]) => `(strpos(${text}, ${part}) > 0)`,
  },
  {
    name: 'startsWith',
    usage: 'startsWith(text, part)',
    params: [STR, STR],
    result: 'bool',
    method: true,
    js: (text: string, part: string) => text.startsWith(part),
    sqlite: ([text, part]) => `(instr(${text}, ${part}) = 1)`,
    postgres: ([text, part]) => `starts_with(${text}, ${part})`,
  },
  {
    name: 'endsWith',
    usage: 'endsWith(text, part)',
    params: [STR, STR],
    result: 'bool',
    method: true,
    js: (text: string, part: string) => text.endsWith(part),
    sqlite: viaJs('endsWith'),
    postgres: ([text, part]) => `starts_with(reverse(${text}), reverse(${part}))`,
  },
  // Neither database's lower() and upper() agree with JavaScript beyond ASCII, hence no SQL.
  {
    name: 'lower',
    usage: 'lower(text)',
    params: [STR],
    result: 'str',
    method: true,
    js: (text: string) => text.toLowerCase(),
    sqlite: null,
    postgres: null,
  },
  {
    name: 'upper',
    usage: 'upper(text)',
    params: [STR],
    result: 'str',
    method: true,
    js: (text: string) => text.toUpperCase(),
    sqlite: null,
    postgres: null,
  },
  {
    name: 'trim',
    usage: 'trim(text)',
    params: [STR],
    result: 'str',
    method: true,
    js: (text: string) => text.trim(),
    sqlite: ([text], _, literal) => `trim(${text}, ${literal(WHITE_SPACE)})`,
    postgres: ([text], _, literal) => `btrim(${text}, ${literal(WHITE_SPACE)})`,
  },
  {
    name: 'concat',
    usage: 'concat(a, b, …)',
    params: [PRINTABLE],
    variadic: true,
    result: 'str',
    js: (...parts: (string | number)[]) => parts.join(''),
    sqlite: (args) => `(${args.map((arg) => `cast(${arg} as text)`).join(' || ')})`,
    postgres: (args) => `(${args.map((arg) => `cast(${arg} as text)`).join(' || ')})`,
  },
]
