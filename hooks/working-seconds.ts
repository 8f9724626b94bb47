import { defineHook } from '../engine/definition/model/hook.ts'
import { WORKING_HOURS, workedBetween, workingHoursOf } from './working-hours.ts'

/** Working seconds between two moments, by the hours of a Service Level Agreement; 0 while one of the three is unset. */
export const workingSeconds = defineHook({
  inputs: { start: 'datetime', until: 'datetime', agreement: 'str', time_zone: 'str?' },
  reads: WORKING_HOURS,
  outputs: { seconds: 'int' },
  gives: 'values',
  run({ start, until, agreement, time_zone }, read) {
    const hours = workingHoursOf(read, agreement, time_zone)
    if (!hours || start === '' || until === '') return [{ seconds: 0 }]
    return [{ seconds: workedBetween(hours, start, until) }]
  },
})
