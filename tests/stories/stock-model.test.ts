import { seedsOf } from '../helpers/random.ts'
import { walkThroughStock } from './stock-walk.ts'

for (const seed of seedsOf(import.meta.filename, [3])) walkThroughStock('sqlite', seed)
