import type { Locator, Page } from 'playwright-core'
import { labelOf } from '../../desk/studio/changes.ts'

/** A definition, or a part of one, as the YAML has it. */
export interface Words {
  readonly [word: string]: unknown
}

/** Part of Studio that a word stands in. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  List: ['title', 'search', 'list', 'views'],
  Paper: ['print'],
  States: ['submittable', 'status'],
  Rules: ['receivable', 'validate', 'effects'],
  'What it is': ['label', 'description', 'naming'],
}

/** Says all this in Studio, as somebody does who has the keys and the pointer alone: part by part, word by word. */
export async function say(page: Page, definition: Words): Promise<void> {
  for (const [name, field] of Object.entries((definition.fields ?? {}) as Record<string, Words>))
    await addField(page.locator('.studio-part'), name, field, '')
  for (const [part, words] of Object.entries(PARTS)) {
    const own = Object.entries(definition).filter(([word]) => words.includes(word))
    if (own.length === 0) continue
    await page.getByRole('button', { name: part, exact: true }).click()
    await sayWords(page.locator('.studio-part'), part, Object.fromEntries(own))
  }
}

/** Adds a field, where there is none of the name, and says what is said of it. */
export async function addField(
  scope: Locator,
  name: string,
  field: Words,
  of: string,
): Promise<void> {
  await scope.getByRole('textbox', { name: `A new field${of}`, exact: true }).fill(name)
  const type = scope.getByRole('combobox', { name: `Type of the field${of}`, exact: true })
  await type.selectOption(String(field.type))
  await scope.getByRole('button', { name: `Add the field${of}`, exact: true }).click()
  const label = labelOf(name)
  const panel = scope.getByRole('region', { name: label, exact: true })
  const { type: _, fields, ...words } = field
  await sayWords(panel, label, words)
  for (const [column, inner] of Object.entries((fields ?? {}) as Record<string, Words>))
    await addField(panel, column, inner, ` · ${label}`)
  await panel.getByRole('button', { name: 'Done', exact: true }).last().click()
}

/** Says words in the place that has them, those it does not show yet by their name in its list. */
export async function sayWords(scope: Locator, of: string, words: Words): Promise<void> {
  for (const [word, value] of Object.entries(words)) {
    const label = labelOf(word)
    const more = scope.getByRole('combobox', { name: `Say more of ${of}`, exact: true })
    if ((await more.count()) > 0) {
      const offered = await more.locator('option').allTextContents()
      if (offered.includes(label)) await more.selectOption({ label })
    }
    await sayValue(scope, label, value)
  }
}

async function sayValue(scope: Locator, label: string, value: unknown): Promise<void> {
  const exact = { name: label, exact: true }
  if (typeof value === 'boolean') {
    const box = scope.getByRole('checkbox', exact).first()
    if ((await box.count()) > 0) {
      await box.setChecked(value)
      return
    }
  }
  if (Array.isArray(value)) return sayList(scope, label, value)
  if (typeof value === 'object' && value !== null) return sayMap(scope, label, value as Words)
  const asText = scope.getByRole('button', { name: `${label}: write it as a text`, exact: true })
  if ((await asText.count()) > 0 && (await asText.isEnabled())) await asText.click()
  const choice = scope.getByRole('combobox', exact).first()
  if ((await choice.count()) > 0) await choice.selectOption(String(value))
  else await scope.getByRole('textbox', exact).first().fill(String(value))
}

async function sayList(scope: Locator, label: string, items: readonly unknown[]): Promise<void> {
  const group = scope.getByRole('group', { name: label, exact: true }).first()
  if ((await group.count()) === 0) {
    const lines = scope.getByRole('textbox', { name: label, exact: true }).first()
    await lines.fill(items.join('\n'))
    return
  }
  const there = await group.getByRole('group').evaluateAll((all, start) => {
    const names = all.map((one) => one.querySelector('legend')?.textContent ?? '')
    return names.filter((name) => name.startsWith(`${start} `)).length
  }, label)
  for (const [at, item] of items.entries()) {
    if (at >= there)
      await group.getByRole('button', { name: `Add to ${label}`, exact: true }).click()
    const name = `${label} ${at + 1}`
    if (at < there) continue
    if (typeof item === 'object') await sayMap(group, name, item as Words)
    else await sayValue(group, name, item)
  }
}

async function sayMap(scope: Locator, label: string, map: Words): Promise<void> {
  const group = scope.getByRole('group', { name: label, exact: true }).first()
  await group.waitFor()
  const name = group.getByRole('textbox', { name: `Name in ${label}`, exact: true })
  if ((await name.count()) === 0) return sayWords(group, label, map)
  for (const [key, value] of Object.entries(map)) {
    await name.fill(key)
    await group.getByRole('button', { name: `Add to ${label}`, exact: true }).click()
    await sayValue(group, key, value)
  }
}

/** Looks at what was said, and saves it. */
export async function lookAndSave(page: Page, doctype: string): Promise<void> {
  await page.getByRole('button', { name: 'Look at the changes' }).click()
  const review = page.getByRole('dialog', { name: 'What the change comes to' })
  await review.waitFor()
  const wrong = review.getByRole('heading', { name: 'This cannot be saved' })
  if ((await wrong.count()) > 0) throw new Error(await review.textContent())
  await review.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = page.getByText(`${doctype} is saved and holds now`)
  const problem = page.locator('.toast.problem')
  await saved.or(problem).first().waitFor()
  if ((await problem.count()) > 0) throw new Error((await problem.first().textContent()) ?? '')
}
