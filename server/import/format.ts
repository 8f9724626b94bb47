/** Forms in which records come and go as text. */
export const FORMATS = ['csv', 'json', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]
