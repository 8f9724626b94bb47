import { ENGINE_GUARDS } from './engine-guards.ts'
import type { Change, Edit, Mutation } from './guard.ts'
import { LOGIC_FAULTS } from './logic-faults.ts'
import { MCP_GUARDS } from './mcp-guards.ts'
import { RECORD_GUARDS } from './record-guards.ts'
import { SERVER_GUARDS } from './server-guards.ts'

/** Every guard, taken away, and slips in what computes. */
export const MUTATIONS: readonly Mutation[] = [
  ENGINE_GUARDS,
  RECORD_GUARDS,
  SERVER_GUARDS,
  MCP_GUARDS,
  LOGIC_FAULTS,
]
  .flatMap((guards) => Object.entries(guards))
  .flatMap(([file, guards]) =>
    guards.map(([why, change, test]) => ({ why, edits: editsOf(file, change), tests: [test] })),
  )

function editsOf(file: string, change: Change | readonly Edit[]): readonly Edit[] {
  const [first, second] = change
  if (typeof first !== 'string' || typeof second !== 'string') return change as readonly Edit[]
  return [{ file, find: first, replace: second }]
}
