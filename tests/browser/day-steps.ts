import type { Page } from 'playwright-core'
import type { DeskPage } from './desk-site.ts'
import { dropFiles } from './dropped-files.ts'
import { picture } from './pictures.ts'
import { supplierBill } from './supplier-bill.ts'

/** What somebody does at the Desk in the course of a day; each waits for what it asks for. */
export interface Day {
  /** Presses the next action of the record. */
  next(name: string): Promise<void>
  /** Chooses what is not the very next thing to do with a record. */
  choose(name: string): Promise<void>
  /** Submits the record, once what that does is shown. */
  submit(): Promise<void>
  /** Waits for a state of the record. */
  state(text: string): Promise<void>
  /** A new offer of three pieces at 85, by the keyboard alone; ends at the saved record. */
  offer(customer: string, item: { readonly id: string; readonly name: string }): Promise<void>
  /** From an offer to the order, the delivery and the invoice; answers the address of the order. */
  orderDeliverBill(): Promise<string>
  /** A mail with the paper of the record. */
  remind(to: string, message: string): Promise<void>
  /** The payment of an invoice, from the invoice. */
  pay(): Promise<void>
  /** A supplier's bill, typed off its paper beside the new form, which belongs to it from the save on; ends at the submitted record. */
  bill(supplier: string, item: string, price: string): Promise<void>
  /** Approves what somebody has asked for, from its page. */
  approve(leave: string): Promise<void>
  /** Asks why a price of the first invoice of this state is what it is; ends at the invoice. */
  explain(status: string): Promise<void>
  /** Cancels the document, once what that takes back is shown, and goes on with its copy. */
  cancelAndAmend(): Promise<void>
  /** Keeps what the page shows, as WebP, which the browser itself makes of it. */
  picture(name: string, page?: Page): Promise<void>
}

/** The day of whoever sits before this page; its pictures are kept of one day alone. */
export function dayOf({ page }: DeskPage, { isPictured = false } = {}): Day {
  const rows = page.getByRole('grid', { name: 'Items' })
  const settled = (): Promise<void> => page.locator('.record-main[data-old=false]').waitFor()

  async function price(text: string): Promise<void> {
    // What follows from the row may bring further columns.
    await settled()
    const head = rows.getByRole('columnheader', { name: 'Price', exact: true })
    const column = Number(await head.getAttribute('aria-colindex')) - 2
    await rows.locator(`[data-cell="0:${column}"]`).focus()
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
    await settled()
  }

  const day: Day = {
    async next(name) {
      await page.locator('.page-actions').getByRole('button', { name }).click()
    },
    async choose(name) {
      await page.locator('[data-more] > button').click()
      await page.getByRole('menuitem', { name }).click()
    },
    async submit() {
      await day.next('Submit')
      const dialog = page.getByRole('dialog', { name: 'Submit?' })
      await dialog.locator('.consequences').waitFor()
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await page.getByText('Submitted documents are locked').waitFor()
    },
    state: (text) => page.locator('.record-title .pill', { hasText: text }).waitFor(),
    async offer(customer, item) {
      await page.goto(`/quotations/new?customer=${customer}`)
      await page.getByRole('button', { name: 'Add row' }).first().click()
      await page.keyboard.type(item.id)
      await page.keyboard.press('Tab')
      await page.keyboard.type('3')
      await page.keyboard.press('Tab')
      await rows.getByRole('gridcell', { name: item.name }).waitFor()
      await price('85')
      await day.picture('07-new-offer')
      await page.keyboard.press('Control+s')
      await page.waitForURL(/\/quotations\/QTN-/)
    },
    async orderDeliverBill() {
      await day.submit()
      await day.next('Make order')
      await page.waitForURL(/\/sales-orders\//)
      await page.locator('[data-form="sales-orders"]').waitFor()
      await day.submit()
      const order = page.url()
      await day.next('Make delivery note')
      await page.waitForURL(/\/delivery-notes\//)
      await page.locator('[data-form="delivery-notes"]').waitFor()
      await day.submit()
      await day.next('Make invoice')
      await page.waitForURL(/\/sales-invoices\//)
      await page.locator('[data-form="sales-invoices"]').waitFor()
      await day.submit()
      return order
    },
    async remind(to, message) {
      await day.choose('Send by mail')
      const mail = page.getByRole('dialog', { name: /^Send to / })
      await mail.getByRole('region', { name: 'Preview' }).locator('.sheet').waitFor()
      await mail.locator('[name=to]').fill(to)
      await mail.getByLabel('Message').fill(message)
      await day.picture('17-a-reminder')
      await mail.getByRole('button', { name: 'Send' }).click()
      await page.locator('.timeline [data-kind=mail]').waitFor()
    },
    async pay() {
      await day.next('Make payment')
      await page.locator('[data-form="payment-entries"]').waitFor()
      await day.next('Submit')
      const dialog = page.getByRole('dialog', { name: 'Submit?' })
      await dialog.getByRole('cell', { name: 'Debtors' }).first().waitFor()
      await dialog.getByRole('region', { name: 'This changes too' }).waitFor()
      await day.picture('06-what-a-submit-does')
      await dialog.getByRole('button', { name: 'Submit' }).click()
      const flow = page.getByRole('navigation', { name: 'Documents before and after' })
      await flow.getByText('Paid', { exact: true }).waitFor()
    },
    async bill(supplier, item, amount) {
      await page.goto(`/purchase-invoices/new?supplier=${supplier}`)
      const number = page.getByLabel("Supplier's invoice no.")
      await number.waitFor()
      const lines = ['Bill', `No. B-${item}`, `2 pieces of ${item} at ${amount}.00`]
      const content = supplierBill(lines)
      await dropFiles(page, [{ name: 'bill.pdf', type: 'application/pdf', content }])
      const paper = page.getByRole('complementary', { name: 'Attached' }).locator('iframe')
      await paper.waitFor()
      await number.fill(`B-${item}`)
      await page.getByRole('button', { name: 'Add row' }).first().click()
      await page.keyboard.type(item)
      await page.keyboard.press('Tab')
      await page.keyboard.type('2')
      await page.keyboard.press('Tab')
      await price(amount)
      await day.picture('19-a-bill-typed-off-its-file')
      await page.keyboard.press('Control+s')
      await page.waitForURL(/\/purchase-invoices\/PINV-/)
      const files = page.getByRole('region', { name: 'Files' })
      await files.getByRole('link', { name: 'bill.pdf' }).waitFor()
      await paper.waitFor()
      await day.submit()
      await page.locator('.timeline [data-kind=submitted]').waitFor()
      await day.picture('18-a-bill-with-its-file')
    },
    async approve(leave) {
      await page.goto(`/leave-applications/${leave}`)
      await page.getByRole('button', { name: 'Move to another state' }).click()
      await page.getByRole('menuitem', { name: 'Approved' }).click()
      await day.state('Approved')
    },
    async explain(status) {
      await page.goto(`/sales-invoices?status=${status}`)
      await page.locator('[data-row]').first().click()
      await day.state(status)
      await rows.locator('.explained').last().click()
      await page.locator('.explanation .inputs').waitFor()
      await day.picture('11-why')
      await page.keyboard.press('Escape')
    },
    async cancelAndAmend() {
      await day.choose('Cancel document')
      const dialog = page.getByRole('dialog', { name: 'Cancel document?' })
      await dialog.getByRole('table', { name: 'General ledger entries' }).waitFor()
      await dialog.getByRole('button', { name: 'Cancel document' }).click()
      await day.state('Cancelled')
      await day.choose('Amend')
      await page.waitForURL(/-1$/)
      await day.state('Draft')
      await day.picture('12-amended')
    },
    picture: async (name, of = page) => {
      if (isPictured) await picture(name, of)
    },
  }
  return day
}
