/** Warehouses of the masters and of the company. */
export const STORES = 'Stores'
export const IN_WORK = 'Work In Progress'
export const FINISHED = 'Finished Goods'
export const SHOWROOM = 'Showroom'
export const REJECTED = 'Rejected Goods'
/** Stock of the company's that a subcontractor works on. */
export const AT_COATER = 'At the Coater'
/** Item that machines are billed as; its cost is booked as an asset. */
export const MACHINE = 'EX-MACHINE'
/** Item that work and goods for a project are billed as. */
export const PROJECT_COST = 'EX-PROJECT'
export const BANK_ACCOUNT = 'Business Account'
export const SAVINGS = 'Bergwind Savings'
