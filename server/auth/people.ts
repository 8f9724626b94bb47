import { hash } from 'node:crypto'
import type { Actor, UserLimit } from '../../engine/access/actor.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { selectLimits } from './limit-store.ts'
import { type PersonRow, selectPerson } from './person-store.ts'

/** Person who can sign in: their record, read anew for every request, so that a change counts at once. */
export interface Person {
  /** Name of their record. */
  readonly login: string
  readonly email: string
  readonly fullName: string
  readonly image: string | null
  readonly language: string | null
  readonly enabled: boolean
  readonly roles: readonly string[]
  /** Hash; null for who has none yet. */
  readonly password: string | null
  readonly passwordChanged: string | null
  /** Tier a demo account sees instead of the workspace's. */
  readonly demoTier: string | null
  /** When their account ends unless they prove their address before; null for who has, and who was made by others. */
  readonly unconfirmed: string | null
  /** Whether they have a second factor, by which each sign-in goes on after the password. */
  readonly hasFactor: boolean
  /** Whether a role of theirs asks for one. */
  readonly needsFactor: boolean
  /** Records they are limited to. */
  readonly limits: readonly UserLimit[]
}

type PeopleServices = Pick<Services, 'registry' | 'database'>

/** The person of a login (exactly as it is written), or undefined. */
export function findPerson(services: PeopleServices, login: string): Promise<Person | undefined> {
  return find(services, 'login', login, services.database.read)
}

/** The person with this e-mail address. */
export function findPersonByEmail(
  services: PeopleServices,
  email: string,
): Promise<Person | undefined> {
  return find(services, 'email', email, services.database.read)
}

/** The person of a login as a transaction has made them. */
export function findPersonWithin(
  services: Pick<Services, 'registry'>,
  login: string,
  tx: Db,
): Promise<Person | undefined> {
  return find(services, 'login', login, tx)
}

/** The DocType whose records are people. Throws Error where no DocType serves users. */
export function peopleOf({ registry }: Pick<Services, 'registry'>): DocTypeDefinition {
  const definition = registry.serving('users')
  if (!definition) throw new Error('no DocType serves users: nobody can sign in')
  return definition
}

/** Actor of a signed-in person: their roles and limits, with scope admin. */
export function actorOf(person: Person): Actor {
  const { login, roles, limits } = person
  const user = userOf(person)
  return { kind: 'user', id: login, name: login, scope: 'admin', roles, limits, user }
}

/** Who a webhook belongs to, as they are now; undefined for who is no more, or is disabled. */
export function ownersOf(
  services: Pick<Services, 'registry'>,
): (login: string, tx: Db) => Promise<Actor | undefined> {
  return async (login, tx) => {
    const person = await findPersonWithin(services, login, tx)
    return person?.enabled ? actorOf(person) : undefined
  }
}

/** The person behind an actor. */
export function userOf({ login, email, demoTier, language }: Person): NonNullable<Actor['user']> {
  return {
    login,
    email,
    ...(demoTier === null ? {} : { demoTier }),
    ...(language === null ? {} : { language }),
  }
}

/**
 * A digest of what somebody is and may do. A session keeps that of its start: whatever changes ends it
 * (reliability.md S2).
 */
export function grantsDigest(person: Person): string {
  const { roles, enabled, passwordChanged, email, hasFactor, needsFactor } = person
  const text = JSON.stringify([roles, enabled, passwordChanged, email, needsFactor && !hasFactor])
  return hash('sha256', text, 'base64url')
}

async function find(
  services: Pick<Services, 'registry'>,
  by: Parameters<typeof selectPerson>[2],
  value: string,
  db: Db,
): Promise<Person | undefined> {
  const definition = services.registry.serving('users')
  // No name has NUL, and PostgreSQL does not even take it.
  if (!definition || value.includes('\0')) return undefined
  const permissions = services.registry.serving('user_permissions')
  const roles = services.registry.serving('roles')
  const rows = await selectPerson(db, definition, by, value, { limits: permissions, roles })
  const [row] = rows
  if (!row) return undefined
  const isLimited = permissions && Number(row.is_limited) === 1
  const limits = isLimited ? await selectLimits(db, services.registry, permissions, row.login) : []
  return personOf(row, rows, limits)
}

function personOf(
  row: PersonRow,
  rows: readonly PersonRow[],
  limits: readonly UserLimit[],
): Person {
  const roles = rows.flatMap(({ role }) => (role === null ? [] : [role])).sort()
  return {
    login: row.login,
    email: row.email ?? row.login,
    fullName: row.full_name ?? row.login,
    image: row.user_image,
    language: row.language,
    enabled: Number(row.enabled) === 1,
    roles: [...new Set(roles)],
    password: row.password,
    passwordChanged: row.password_changed,
    demoTier: row.demo_tier,
    unconfirmed: row.unconfirmed,
    hasFactor: Number(row.has_factor) === 1,
    needsFactor: Number(row.needs_factor) === 1,
    limits,
  }
}
