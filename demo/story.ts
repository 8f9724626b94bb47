import { agreements } from './agreements.ts'
import { assets } from './assets.ts'
import { bookkeeping } from './bookkeeping.ts'
import { budgets } from './budgets.ts'
import { purchasing, runningCosts } from './buying.ts'
import { prospects } from './crm.ts'
import type { Flow } from './flow.ts'
import { production, showroom, stockCounts, stoppedOrder } from './making.ts'
import { payroll } from './payroll.ts'
import { people } from './people.ts'
import { projects } from './projects.ts'
import { recruiting } from './recruiting.ts'
import { requests } from './requests.ts'
import { orders } from './selling.ts'
import { support } from './support.ts'
import { unfinished } from './unfinished.ts'
import { upkeep } from './upkeep.ts'
import type { World } from './world.ts'

/** Flows of everything that happens after the first day, in the order in which they take turns. */
export function story(world: World): readonly Flow[] {
  return [
    budgets(world),
    people(world),
    payroll(world),
    bookkeeping(world),
    purchasing(world),
    runningCosts(world),
    production(world),
    stoppedOrder(world),
    showroom(world),
    stockCounts(world),
    prospects(world),
    orders(world),
    projects(world),
    support(world),
    assets(world),
    upkeep(world),
    agreements(world),
    recruiting(world),
    requests(world),
    unfinished(world),
  ]
}
