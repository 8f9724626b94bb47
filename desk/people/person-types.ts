/** Somebody who signs in, as the list of users has them. */
export interface Person {
  readonly id: string
  readonly full_name: string
  readonly email: string | null
  readonly enabled: boolean
  readonly roles: readonly { readonly role: string }[]
}

/** A resource with what each role may do with its records. */
export interface ResourceRights {
  readonly slug: string
  readonly label: string
  readonly module: string
  readonly rights: Readonly<Record<string, readonly string[]>>
  /** Roles that see some of the records alone. */
  readonly limited: readonly string[]
  readonly fields: readonly {
    readonly name: string
    readonly read?: readonly string[]
    readonly write?: readonly string[]
  }[]
}

/** Whether somebody may do something, and by which rule. */
export interface ToldRight {
  readonly right: string
  readonly may: boolean
  readonly why: string
}
