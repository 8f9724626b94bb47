/** Uses after which code is written: for less it is not worth being compiled. */
const WORTH_IT = 100

/** What a property is made of: an expression over the parameters. */
export type WrittenProperty = readonly [name: string, code: string]

/**
 * A function that makes objects, and after some uses one that does the same by code written for their properties: an object whose
 * properties are all said at once is made some five times as fast as one that gets each under a computed name. `index` is the place of what it
 * is made of, `known` are constants that the code names. Where a name would mean something to JavaScript it stays as it is.
 */
export function writtenWhenWarm<Given, Made extends object>(
  slow: (given: Given, index: number) => Made,
  write: () => {
    readonly parameters: readonly string[]
    readonly properties: readonly WrittenProperty[]
    readonly known: Readonly<Record<string, unknown>>
  },
): (given: Given, index?: number) => Made {
  let uses = 0
  let make = slow
  return (given, index = 0) => {
    uses += 1
    if (uses === WORTH_IT) {
      const { parameters, properties, known } = write()
      if (properties.every(([name]) => name !== '__proto__'))
        make = writtenObject(parameters, properties, known) as typeof slow
    }
    return make(given, index)
  }
}

function writtenObject(
  parameters: readonly string[],
  properties: readonly WrittenProperty[],
  known: Readonly<Record<string, unknown>>,
): unknown {
  const body = properties.map(([name, code]) => `${JSON.stringify(name)}: ${code}`).join(',\n')
  const code = `'use strict'; return (${parameters.join()}) => ({${body}})`
  return new Function(...Object.keys(known), code)(...Object.values(known))
}
