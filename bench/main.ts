import { cpus } from 'node:os'
import { measureDesk } from './desk.ts'
import { measureGrowth } from './growth.ts'
import { measureHeavyLists } from './heavy-lists.ts'
import { measureImport } from './import.ts'
import { measureImportOverHttp } from './import-http.ts'
import { measureInvoice } from './invoice.ts'
import { INVOICES, measureBuilds } from './invoice-builds.ts'
import { measureLoad } from './load-time.ts'
import { measureLookBack } from './look-back.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { measurePeers } from './peers.ts'
import { measurePreview } from './preview.ts'
import { measureReports } from './reports.ts'
import { measureRequestBuilds } from './request-builds.ts'
import { compareSideBySide } from './side-by-side.ts'
import { measureStall } from './stall.ts'
import { measureStart } from './start-time.ts'
import { measureStream } from './stream.ts'
import { printVerdicts, type Verdict } from './verdict.ts'
import { measureWebhooks } from './webhooks.ts'

const options = readOptions(process.argv.slice(2), process.env)
if (options === 'help') console.log(USAGE)
else process.exitCode = printVerdicts(await measure(options)) ? 0 : 1

async function measure(chosen: Options): Promise<Verdict[]> {
  const [processor] = cpus()
  console.log(
    `Node ${process.version}, ${cpus().length} × ${processor?.model ?? 'unknown processor'}`,
  )
  const verdicts: Verdict[] = []
  if (chosen.sideBySide) verdicts.push(...(await compareSideBySide(chosen)))
  if (chosen.growth) verdicts.push(...(await measureGrowth(chosen)))
  if (chosen.heavy) verdicts.push(...(await measureHeavyLists(chosen)))
  if (chosen.load) verdicts.push(...(await measureLoad()))
  if (chosen.invoice) verdicts.push(...(await measureInvoice(chosen)))
  if (chosen.beside !== '') {
    const areInvoices = chosen.only === INVOICES
    if (!areInvoices) verdicts.push(...(await measureRequestBuilds(chosen)))
    if (areInvoices || chosen.only === '') verdicts.push(...(await measureBuilds(chosen)))
  }
  if (chosen.import) verdicts.push(...(await measureImport(chosen)))
  if (chosen.importHttp) verdicts.push(...(await measureImportOverHttp(chosen)))
  if (chosen.stream) verdicts.push(...(await measureStream()))
  if (chosen.preview) verdicts.push(...(await measurePreview()))
  if (chosen.webhooks) verdicts.push(...(await measureWebhooks(chosen)))
  if (chosen.reports) verdicts.push(...(await measureReports(chosen)))
  if (chosen.stall) verdicts.push(...(await measureStall(chosen)))
  if (chosen.lookBack) verdicts.push(...(await measureLookBack()))
  if (chosen.desk) verdicts.push(...(await measureDesk(chosen)))
  if (chosen.peers) verdicts.push(...(await measurePeers(chosen)))
  if (chosen.start) verdicts.push(...(await measureStart()))
  return verdicts
}
