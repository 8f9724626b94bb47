import type { Hook } from '../engine/definition/model/hook.ts'
import { bankStatementRows } from './bank-statement-rows.ts'
import { calendarDays } from './calendar-days.ts'
import { depreciationSchedule } from './depreciation-schedule.ts'
import { explodeBom } from './explode-bom.ts'
import { listedNumbers } from './listed-numbers.ts'
import { planParts } from './plan-parts.ts'
import { salaryComponents } from './salary-components.ts'
import { shiftTimes } from './shift-times.ts'
import { stockValue } from './stock-value.ts'
import { stockValues } from './stock-values.ts'
import { subcontractedMaterials } from './subcontracted-materials.ts'
import { netAmounts, taxAmounts, totalDiscount, valuationTaxes } from './taxes.ts'
import { workingDeadline } from './working-deadline.ts'
import { workingSeconds } from './working-seconds.ts'

/** All hooks by the name that YAML calls them. */
export const hooks: ReadonlyMap<string, Hook> = new Map<string, Hook>([
  ['bank_statement_rows', bankStatementRows],
  ['calendar_days', calendarDays],
  ['depreciation_schedule', depreciationSchedule],
  ['explode_bom', explodeBom],
  ['listed_numbers', listedNumbers],
  ['plan_parts', planParts],
  ['net_amounts', netAmounts],
  ['salary_components', salaryComponents],
  ['shift_times', shiftTimes],
  ['stock_value', stockValue],
  ['stock_values', stockValues],
  ['subcontracted_materials', subcontractedMaterials],
  ['tax_amounts', taxAmounts],
  ['total_discount', totalDiscount],
  ['valuation_taxes', valuationTaxes],
  ['working_deadline', workingDeadline],
  ['working_seconds', workingSeconds],
])
