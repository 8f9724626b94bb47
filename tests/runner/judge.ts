import type { ProcessResult } from './run-process.ts'

/** What one test file, or one check, adds to the sum. */
export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** Why it failed, beyond what its output says; empty when it passed. */
  readonly problems: readonly string[]
}

const TOTAL = /^ {2}Total:\s+(\d+)$/m
const PASSED = /^ {2}Passed:\s+(\d+)$/m
const SKIPPED = /^ {2}Skipped:\s+(\d+)$/m
const EMPTY_SUITE = /\(0 \/ 0\)$/m

/**
 * Judges the run of a uvu file by its exit code *and* its summary, because uvu itself ends with 0 when
 * a hook threw, when `run()` was forgotten and when tests are skipped or excluded by `only`.
 */
export function judgeTestFile(result: ProcessResult, timeout: number): Verdict {
  const { output } = result
  const total = numberIn(TOTAL, output)
  const passed = numberIn(PASSED, output) ?? 0
  const skipped = numberIn(SKIPPED, output) ?? 0
  const problems = endProblems(result, timeout)
  if (total === undefined) problems.push('it printed no summary')
  if (total === 0) problems.push('it ran no test: does it end with run()?')
  if (total !== undefined && passed < total)
    problems.push(`${total - passed} of ${total} did not pass`)
  if (skipped > 0) problems.push(`${skipped} skipped, by skip or only: run or delete them`)
  if (EMPTY_SUITE.test(output)) problems.push('a suite has no test')
  if (problems.length === 0) return { passed, failed: 0, problems }
  return { passed, failed: Math.max(1, (total ?? 0) - passed + skipped), problems }
}

/** Judges a check (formatter, types, …), which counts as one test: only its exit code speaks. */
export function judgeCheck(result: ProcessResult, timeout: number): Verdict {
  const problems = endProblems(result, timeout)
  const failed = problems.length === 0 ? 0 : 1
  return { passed: 1 - failed, failed, problems }
}

function endProblems({ code, signal, timedOut }: ProcessResult, timeout: number): string[] {
  if (timedOut) return [`killed after ${timeout / 1000} s`]
  if (signal !== null) return [`ended by ${signal}`]
  return code === 0 ? [] : [`exit code ${code}`]
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
