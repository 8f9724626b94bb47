import { takesEverything } from './everything.ts'

takesEverything('sqlite')
