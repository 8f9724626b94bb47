import { join } from 'node:path'

/** Where the secret key of a workspace lies that has none in its environment. */
export function secretKeyFile(dataFolder: string): string {
  return join(dataFolder, 'secret.key')
}

/** What the first start leaves for the first person: user, password and admin key. */
export function firstRunFile(dataFolder: string): string {
  return join(dataFolder, 'first-run.json')
}

/** The one-time token of a workspace that is served before it is set up. */
export function setupTokenFile(dataFolder: string): string {
  return join(dataFolder, 'setup-token')
}
