import { DOCUMENT_REPORTS } from './document-reports.ts'
import { LEDGER_REPORTS } from './ledger-reports.ts'
import { BANK_REPORTS, BIN_REPORTS, BUDGET_REPORTS, LEAVE_REPORTS } from './more-ledger-reports.ts'
import { PAYABLE_REPORTS, RECEIVABLE_REPORTS } from './owed-reports.ts'
import { type HandWrittenReport, over } from './report.ts'

/** Every report that is measured. */
export const HAND_WRITTEN_REPORTS: readonly HandWrittenReport[] = [
  ...over('ledgers', { ...LEDGER_REPORTS, ...RECEIVABLE_REPORTS, ...BUDGET_REPORTS }),
  ...over('payables', PAYABLE_REPORTS),
  ...over('bank', BANK_REPORTS),
  ...over('leave', LEAVE_REPORTS),
  ...over('stock', BIN_REPORTS),
  ...over('documents', DOCUMENT_REPORTS),
]
