import type { Options } from './options.ts'
import type { Verdict } from './verdict.ts'
export async function measureGrowth(_options: Options): Promise<Verdict[]> {
  return []
}
