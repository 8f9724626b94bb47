import { assets } from './books/assets.ts'
import { bookkeeping } from './books/bookkeeping.ts'
import { budgets } from './books/budgets.ts'
import { upkeep } from './books/upkeep.ts'
import { withholding } from './books/withholding.ts'
import { payroll } from './people/payroll.ts'
import { people } from './people/people.ts'
import { recruiting } from './people/recruiting.ts'
import type { Flow } from './play/flow.ts'
import { agreements } from './selling/agreements.ts'
import { care } from './selling/care.ts'
import { club } from './selling/club.ts'
import { prospects } from './selling/crm.ts'
import { projects } from './selling/projects.ts'
import { seasonDeals } from './selling/season-deals.ts'
import { orders } from './selling/selling.ts'
import { support } from './selling/support.ts'
import { till } from './selling/till.ts'
import { purchasing, runningCosts } from './supply/buying.ts'
import { production, showroom, stockCounts, stoppedOrder } from './supply/making.ts'
import { outwork } from './supply/outwork.ts'
import { quality } from './supply/quality.ts'
import { requests } from './supply/requests.ts'
import { shelves } from './supply/shelves.ts'
import { unfinished } from './unfinished.ts'
import type { World } from './world/world.ts'

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
    shelves(world),
    outwork(world),
    quality(world),
    club(world),
    till(world),
    care(world),
    seasonDeals(world),
    withholding(world),
    unfinished(world),
  ]
}
