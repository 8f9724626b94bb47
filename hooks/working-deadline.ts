import { defineHook } from '../engine/definition/model/hook.ts'
import { afterWorking, WORKING_HOURS, workingHoursOf } from './working-hours.ts'

/**
 * The moment at which so many working seconds have passed since `start`: hours of each weekday, in its time zone, and
 * holidays are those of the Service Level Agreement. Unset without a start, seconds or an agreement.
 */
export const workingDeadline = defineHook({
  inputs: { start: 'datetime', seconds: 'int', agreement: 'str', time_zone: 'str?' },
  reads: WORKING_HOURS,
  outputs: { deadline: 'datetime' },
  gives: 'values',
  run({ start, seconds, agreement, time_zone }, read) {
    const hours = workingHoursOf(read, agreement, time_zone)
    if (!hours || start === '' || seconds <= 0) return []
    return [{ deadline: afterWorking(hours, start, seconds) }]
  },
})
