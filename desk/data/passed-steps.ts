import type { DeskSettings } from './types.ts'

interface StepOf {
  readonly resource: string
  readonly on?: string
}

/** Name of a first step among those that somebody has passed. */
export function stepKey({ resource, on = '' }: StepOf): string {
  return `${resource} ${on}`
}

/** The settings in which a step is passed, by being skipped or done. */
export function withPassed(
  settings: DeskSettings,
  step: StepOf,
  how: 'skipped' | 'done',
): DeskSettings {
  return { ...settings, passedSteps: { ...settings.passedSteps, [stepKey(step)]: how } }
}
