import { readWorkspaceFile } from '../definition/load/workspace-file.ts'
import type { Plan, Plans } from './plans.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1
const isRoom: Check = (value) => {
  const { largest_mb, total_gb } = (value ?? {}) as Partial<Plan['files']>
  // What is larger than 5,000 MB no S3-compatible store takes in one piece.
  return isCount(largest_mb) && Number(largest_mb) <= 5000 && isCount(total_gb)
}
const isPrice: Check = (value) => typeof value === 'number' && value >= 0

const PLAN: Readonly<Record<keyof Plan, { readonly check: Check; readonly expected: string }>> = {
  slug: { check: isText, expected: 'a short name' },
  label: { check: isText, expected: 'a text' },
  price_per_user_month: { check: isPrice, expected: 'a price' },
  currency: { check: isText, expected: 'a currency code' },
  seats: {
    check: (value) => value === null || isCount(value),
    expected: 'a number of users, or null',
  },
  requests_per_minute: { check: isCount, expected: 'a whole number from 1' },
  files: {
    check: isRoom,
    expected: '{largest_mb, total_gb}, whole numbers from 1, largest_mb at most 5000',
  },
  features: { check: isTexts, expected: 'a list of texts' },
  includes: { check: isTexts, expected: 'a list of texts' },
}

/**
 * The plans of the last of these folders that has a `plans.yaml`. Throws Error naming the file and every
 * mistake in it, or that none has one.
 */
export function loadPlans(folders: readonly string[]): Plans {
  const file = readWorkspaceFile(folders, 'plans.yaml')
  if (!file) throw new Error(`expected plans.yaml in one of ${folders.join(', ')}`)
  const problems = mistakesOf((file.data ?? {}) as Partial<Plans>)
  if (problems.length > 0) throw new Error(`${file.path}: ${problems.join('; ')}`)
  return Object.freeze(file.data as Plans)
}

function mistakesOf(data: Partial<Plans>): string[] {
  const problems: string[] = []
  for (const key of ['signed_in_user_per_minute', 'contact_messages_per_hour'] as const) {
    if (!isCount(data[key])) problems.push(`${key}: expected a whole number from 1`)
  }
  const features = Object.values(data.features ?? {})
  if (!features.every(isText)) problems.push('features: expected a map of texts')
  const plans: unknown = data.plans
  if (!Array.isArray(plans) || plans.length === 0) return [...problems, 'plans: expected a list']
  for (const [index, plan] of plans.entries()) {
    for (const [key, { check, expected }] of Object.entries(PLAN)) {
      const value = (plan as Record<string, unknown> | null)?.[key]
      if (!check(value)) problems.push(`plans[${index}].${key}: expected ${expected}`)
    }
  }
  return problems
}
