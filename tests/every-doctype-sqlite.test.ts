import { everyDoctype } from './helpers/every-doctype.ts'
import { seedsOf } from './helpers/random.ts'

everyDoctype('sqlite', seedsOf(import.meta.filename, [1]))
