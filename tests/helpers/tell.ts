import { appendFileSync } from 'node:fs'

/** Tells at once how far a long test is, in the file that `SVC_TEST_PROGRESS` names: what a test prints is shown when it ends. */
export function tell(line: string): void {
  const file = process.env.SVC_TEST_PROGRESS
  if (file) appendFileSync(file, `${new Date().toISOString().slice(11, 19)} ${line}\n`)
}
