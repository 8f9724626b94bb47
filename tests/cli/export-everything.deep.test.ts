import { takesEverything } from './everything.ts'

takesEverything('postgres')
