import type { DocTypeDefinition } from './definition.ts'

/**
 * Module → the group under which people find its resources and their events (spec §6), in the order of the
 * menu. What belongs together for a reader shares a group, though its files lie in folders of their own.
 */
const GROUP_OF_MODULE: Readonly<Record<string, string>> = {
  crm: 'CRM',
  sales: 'Sales',
  billing: 'Billing',
  purchasing: 'Purchasing',
  stock: 'Stock',
  banking: 'Banking',
  accounts: 'Accounts',
  hr: 'HR',
  projects: 'Projects',
  manufacturing: 'Manufacturing',
  support: 'Support and assets',
  assets: 'Support and assets',
  setup: 'Setup',
}

/** Modules a DocType can belong to. */
export const MODULES: readonly string[] = Object.keys(GROUP_OF_MODULE)

/** Heading above the resources of a DocType's module: `crm` → `CRM`. */
export function groupOf({ module }: Pick<DocTypeDefinition, 'module'>): string {
  return GROUP_OF_MODULE[module] ?? module
}
