import { join } from 'node:path'

/** File of the secret key of a workspace that has none in its environment. */
export function secretKeyFile(dataFolder: string): string {
  return join(dataFolder, 'secret.key')
}

/** File that the first start leaves for the first person: user, password and admin key. */
export function firstRunFile(dataFolder: string): string {
  return join(dataFolder, 'first-run.json')
}

/** File of the one-time token of a workspace that is served before it is set up. */
export function setupTokenFile(dataFolder: string): string {
  return join(dataFolder, 'setup-token')
}
