import type { FillBooks } from './books.ts'

/** Filled later. */
export const fillDocuments: FillBooks = () => undefined
