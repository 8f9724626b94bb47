/** Settings of the tool server; `cli/` reads them from the environment. */
export interface ToolServerSettings {
  /** Word that names the product on the wire, e.g. `Svc`: of addresses (`svc://…`) and of variables (`SVC_…`). */
  readonly brand: string
  readonly version: string
  /** API key of the workspace; undefined when none is set. */
  readonly apiKey: string | undefined
  /** Address of the workspace, to which `/v1/…` is added; no slash at the end. */
  readonly apiBase: string
  /** Longest time for one call with all its retries, in ms. */
  readonly timeoutMs: number
  /** Whether there are more tools than the twelve; then no answer says the same twice, as text and as an object. */
  readonly isFull: boolean
  /** Whether one line at the start says on stderr if there is a key. */
  readonly debug: boolean
  /** Settings that cannot be, as a text for people; every call is answered with it. */
  readonly problem?: string
}

/** Address as people write it: with `/v1` or a slash at the end, which are ours to add. */
export function withoutVersion(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

/** The variable of this name, e.g. `SVC_API_KEY` of `API_KEY`. */
export function variable({ brand }: Pick<ToolServerSettings, 'brand'>, name: string): string {
  return `${brand.toUpperCase()}_${name}`
}
