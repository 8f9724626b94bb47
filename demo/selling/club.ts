import { create, type Flow, update } from '../play/flow.ts'
import type { World } from '../world/world.ts'

const CLUB = 'Bergwind Club'

/** Private customers collect points with what they buy, from the first day on. */
export function* club(world: World): Flow {
  const members = world.buyers.filter(({ kindName }) => kindName === 'private')
  yield* create('sales', 'Loyalty Program', {
    loyalty_program_name: CLUB,
    company: world.name,
    from_date: world.first,
    customer_group: 'Individual',
    collection_rules: [
      { tier_name: 'Rider', min_spent: 0, collection_factor: 10 },
      { tier_name: 'Climber', min_spent: 2500, collection_factor: 8 },
    ],
    conversion_factor: 0.2,
    expiry_duration: 730,
    expense_account: 'Marketing Expenses',
  })
  for (const { id } of members) {
    yield* update('sales', 'Customer', id, { loyalty_program: CLUB })
  }
}
