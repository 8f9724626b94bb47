import { walkThroughStock } from './stock-walk.ts'

walkThroughStock('postgres', 3)
