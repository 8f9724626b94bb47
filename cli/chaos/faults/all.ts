import { clock } from './clock.ts'
import { cut } from './cut.ts'
import { damage } from './damage.ts'
import { diskFull } from './disk-full.ts'
import { FAULT_NAMES, type Fault, type FaultName } from './fault.ts'
import { freeze } from './freeze.ts'
import { kill } from './kill.ts'
import { readOnly } from './read-only.ts'

const FAULTS: Readonly<Record<FaultName, Fault>> = {
  kill,
  freeze,
  cut,
  'disk-full': diskFull,
  'read-only': readOnly,
  clock,
  damage,
}

/** The faults of these names, in the order in which they are made; all of them without names. */
export function faultsNamed(names: readonly string[] = FAULT_NAMES): readonly Fault[] {
  return FAULT_NAMES.filter((name) => names.includes(name)).map((name) => FAULTS[name])
}
