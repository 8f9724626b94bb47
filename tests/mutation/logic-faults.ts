import type { Guards } from './guard.ts'

const DECIMALS = 'tests/engine/expression/money-oracle'
const ROLLUPS = 'tests/engine/documents/rollups'
const WORKER = 'tests/webhooks/dispatcher'

/** Slips of the kind a hurried change makes, in what computes and carries values: each turns a test red. */
export const LOGIC_FAULTS: Guards = {
  'engine/base/money.ts': [
    [
      'halves are rounded down',
      ['(a * 2n + b) / (b * 2n)', '(a * 2n + b - 1n) / (b * 2n)'],
      DECIMALS,
    ],
  ],
  'engine/rules/rollups/rollup-delta.ts': [
    [
      'what a source no longer adds stays in the sum',
      ['return total(added) - total(removed)', 'return total(added)'],
      ROLLUPS,
    ],
  ],
  'engine/rules/cells/running-sum.ts': [
    [
      'one condition of a running sum is enough',
      ['conditions.every((condition)', 'conditions.some((condition)'],
      'tests/engine/rules/running-sum',
    ],
  ],
  'engine/rules/cells/status.ts': [
    [
      'the last state that holds wins',
      ['rule.states.find(({ when })', 'rule.states.findLast(({ when })'],
      'tests/engine/documents/states',
    ],
  ],
  'engine/documents/work/cascade.ts': [
    [
      'totals over totals stay behind',
      ['    level = next\n', '    level = []\n    void next\n'],
      ROLLUPS,
    ],
  ],
  'engine/documents/effects/reversal.ts': [
    [
      'what a cancelled document posted is posted again',
      [
        '    mirror[one] = valueIn(row, other)\n    mirror[other] = valueIn(row, one)\n',
        '    mirror[one] = valueIn(row, one)\n    mirror[other] = valueIn(row, other)\n',
      ],
      'tests/engine/documents/effects',
    ],
    [
      'what is cancelled is taken back on its day though that is closed',
      ['if (problems.some(({ field }) => field === date)) closed.add(day)', 'void problems'],
      'tests/stories/closing',
    ],
  ],
  'engine/documents/effects/ledger-amounts.ts': [
    [
      'debit and credit of a posting need not be equal',
      [
        'sum + amountIn(row, debit) - amountIn(row, credit)',
        'sum + 0n * amountIn(row, debit) * amountIn(row, credit)',
      ],
      'tests/engine/documents/balanced',
    ],
  ],
  'engine/documents/work/naming.ts': [
    [
      'numbers of a series lose their zeros',
      ["String(number).padStart(digits, '0')", 'String(number).padStart(digits - digits)'],
      'tests/engine/documents/naming',
    ],
    [
      'a year has a week too many',
      ['4 - (date.getUTCDay() || 7)', '4 - date.getUTCDay()'],
      'tests/engine/documents/naming',
    ],
  ],
  'engine/storage/records/cursor.ts': [
    [
      'a cursor that was changed, or is of another list, is taken',
      ['|| !timingSafeEqual(given, sign(list, payload))', ''],
      'tests/engine/storage/cursor',
    ],
  ],
  'engine/storage/records/series.ts': [
    [
      'a number is given twice',
      [
        'last === undefined ? await readCurrent(tx, prefix) : last + 1',
        'last ?? (await readCurrent(tx, prefix))',
      ],
      'tests/engine/documents/batch',
    ],
  ],
  'engine/reports/declare/periods.ts': [
    [
      'weeks begin on Sundays',
      ['addDays(day, 1 - weekdayOf(day))', 'addDays(day, 0 - weekdayOf(day))'],
      'tests/engine/reports/periods',
    ],
    [
      'quarters have four months',
      ["['Quarterly', spanned(3)]", "['Quarterly', spanned(4)]"],
      'tests/engine/reports/periods',
    ],
  ],
  'engine/reports/run/tree-sql.ts': [
    [
      'a group of a report has the sums of its own rows alone',
      [' is not null)`', ' is null)`'],
      'tests/reports/books',
    ],
  ],
  'webhooks/outcome.ts': [
    [
      'an attempt that somebody asked for uses up one of the schedule',
      [
        'const tries = manual === 1 ? delivery.tries : delivery.tries + 1',
        'const tries = delivery.tries + 1 + 0 * manual',
      ],
      WORKER,
    ],
  ],
  'webhooks/backoff.ts': [
    [
      'who asks for a longer wait gets the usual one',
      ['return Math.max(scheduled, Math.min(asked', 'return Math.min(scheduled, Math.max(asked'],
      'tests/webhooks/backoff',
    ],
  ],
  'webhooks/match.ts': [
    [
      'events of a resource reach nobody who asked for all of them',
      [
        'exact.has(event) || resources.has(resourceOf(event))',
        'exact.has(event) || resources.has(event)',
      ],
      'tests/webhooks/match',
    ],
  ],
  'webhooks/signing/signature.ts': [
    [
      'the old secret does not sign during a rotation',
      ['...ours.map(', '...ours.slice(0, 1).map('],
      'tests/webhooks/signature',
    ],
  ],
  'engine/base/csv-line.ts': [
    [
      'quotes in an exported cell end it',
      [`cell.replaceAll('"', '""')`, 'cell'],
      'tests/cli/export',
    ],
  ],
  'server/import/upsert.ts': [
    [
      'an import over what is there changes nothing',
      [
        'else if (!field || !isSame(field, current[name], value))',
        'else if (!field || isSame(field, current[name], value))',
      ],
      'tests/cli/import-upsert',
    ],
  ],
  'engine/storage/records/search-words.ts': [
    [
      'a record is found by the text it had before',
      ['not in (select id', 'in (select id'],
      'tests/engine/storage/search-waiting',
    ],
  ],
  'engine/storage/records/search-waiting.ts': [
    [
      'a record that is gone is found again when the texts are moved',
      ['where body is null', 'where false'],
      'tests/engine/storage/search-waiting',
    ],
  ],
  'engine/storage/database/checkpoints.ts': [
    [
      'the log never begins anew while nobody pauses',
      ['if (isNearlyDone) checkpointQuietly()', 'void checkpointQuietly'],
      'tests/engine/storage/checkpoints',
    ],
  ],
}
