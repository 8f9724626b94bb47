import { everyDoctype } from './helpers/every-doctype.ts'
import { seedsOf } from './helpers/random.ts'

everyDoctype('postgres', seedsOf(import.meta.filename, [1]))
