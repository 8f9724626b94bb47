import { registerHooks } from 'node:module'

/** Package that has TypeScript 5: the compiler of hey-api, which needs an interface that TypeScript 7 has no more. */
const OWNER = new URL('../../docs/examples/typescript-client/package.json', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: OWNER } : context),
})
