import type { components, paths } from './generated/svc-api.d.ts'

/** The shapes of the API by name: `Schemas['SalesOrder']`, `Schemas['SalesOrderCreate']`. */
export type Schemas = components['schemas']

/**
 * What the client can be asked. Same as openapi-fetch, said in fewer words, with one difference: its own types
 * let a body have fields that do not exist, these do not.
 */
export interface Api {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
}

export type Answer<T> =
  | { readonly data: T; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: Schemas['Error']; readonly response: Response }

type Method = 'get' | 'post' | 'patch' | 'delete'

type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...options: OptionalIfEmpty<Params<Path, M> & Sent<Path, M> & Pick<RequestInit, 'signal'>>
) => Promise<Answer<Data<Path, M>>>

/** The paths that have a method. */
export type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

/** The paths of lists that have pages, and of single records that can be changed. */
export type ListPath = {
  [Path in PathsWith<'get'>]: Data<Path, 'get'> extends Schemas['Page'] & { data: object[] }
    ? Path
    : never
}[PathsWith<'get'>]
export type RecordPath = Extract<PathsWith<'patch'> & PathsWith<'get'>, `${string}/{id}`>

type Operation<Path extends keyof paths, M extends Method> = NonNullable<paths[Path][M]>
type Json<T> = T extends { content: { 'application/json': infer Value } } ? Value : undefined
type At<T, Key> = T[Key & keyof T]

/** What a path answers when all is well, and what it takes. */
export type Data<Path extends keyof paths, M extends Method> = Json<
  At<At<Operation<Path, M>, 'responses'>, 200 | 201 | 202 | 204>
>
export type Body<Path extends keyof paths, M extends Method> = Json<
  NonNullable<At<Operation<Path, M>, 'requestBody'>>
>

/** A record as a list answers it, and what a list may be asked. */
export type Row<Path extends ListPath> =
  At<Data<Path, 'get'>, 'data'> extends (infer Item)[] ? Item : never
export type Query<Path extends ListPath> = NonNullable<
  At<At<Operation<Path, 'get'>, 'parameters'>, 'query'>
>

type Params<Path extends keyof paths, M extends Method> =
  object extends At<Operation<Path, M>, 'parameters'>
    ? { params?: At<Operation<Path, M>, 'parameters'> }
    : { params: At<Operation<Path, M>, 'parameters'> }
type Sent<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends {
    requestBody: object
  }
    ? { body: Body<Path, M> }
    : { body?: Body<Path, M> }
type OptionalIfEmpty<T> = object extends T ? [T?] : [T]
