import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from '../failure.ts'
import { countriesLike, findCountry, type SetupOptions } from './options.ts'
import { CHECKS, PROPOSED_RETENTION, proposed, type SetupInput } from './request.ts'
import { TEST_COMPANY } from './set-up.ts'

/** A terminal that questions are asked on. */
export interface Terminal {
  /** The answer without spaces around it. Throws Failure when there will be no more. */
  ask(question: string): Promise<string>
  /** Asks as `ask` does; what is typed is not shown. */
  askSecret(question: string): Promise<string>
  say(line: string): void
  close(): void
}

/** Asks on stderr, so that stdout holds the result alone. */
export function openTerminal(): Terminal {
  let isSecret = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) process.stderr.write(chunk)
      done()
    },
  })
  const lines: Interface = createInterface({ input: process.stdin, output, terminal: true })
  let ended: (reason: Failure) => void = () => undefined
  const end = new Promise<never>((_resolve, reject) => {
    ended = reject
  })
  end.catch(() => undefined)
  lines.on('close', () => ended(new Failure('interrupted: nothing was set up')))
  const ask = async (question: string): Promise<string> =>
    (await Promise.race([lines.question(question), end])).trim()
  return {
    ask,
    async askSecret(question) {
      process.stderr.write(question)
      isSecret = true
      try {
        return await ask('')
      } finally {
        isSecret = false
        process.stderr.write('\n')
      }
    },
    say: (line) => void process.stderr.write(`${line}\n`),
    close: () => lines.close(),
  }
}

/** Countries that are shown to somebody whose word fits several. */
const MOST_SHOWN = 10

/** Asks for what no flag has said; an empty answer takes what is proposed. Throws Failure when nobody answers. */
export async function askForSetup(
  terminal: Terminal,
  options: SetupOptions,
  given: SetupInput,
): Promise<SetupInput> {
  const asked = async (
    key: keyof SetupInput,
    question: string,
    usual: string | undefined,
  ): Promise<string | undefined> =>
    given[key] ?? (await askValue(terminal, options, key, question, usual))

  const email = await asked(
    'email',
    'Your email address (empty: the user is called Administrator)',
    undefined,
  )
  const password = given.password ?? (await askPassword(terminal, options))
  const company = await asked('company', 'Company', TEST_COMPANY.company)
  const country = given.country ?? (await askCountry(terminal, options))
  const usual = proposed(country === undefined ? undefined : findCountry(options, country))
  const charts = options.charts.map(({ name }) => name).join(', ')
  return {
    email,
    password,
    company,
    country,
    currency: await asked('currency', 'Currency of its accounts', usual.currency),
    chart_of_accounts: await asked(
      'chart_of_accounts',
      `Chart of accounts (${charts})`,
      usual.chart,
    ),
    fiscal_year_start: await asked(
      'fiscal_year_start',
      'First day of the fiscal year (MM-DD)',
      usual.yearStart,
    ),
    tier: await asked('tier', `Tier (${options.tiers.join(', ')})`, options.tiers[0]),
    event_retention: await asked(
      'event_retention',
      'Days for which the log of all changes is kept (0: for ever)',
      PROPOSED_RETENTION,
    ),
  }
}

/** Asks until the answer is one. */
async function askValue(
  terminal: Terminal,
  options: SetupOptions,
  key: keyof SetupInput,
  question: string,
  usual: string | undefined,
): Promise<string | undefined> {
  for (;;) {
    const answer = await terminal.ask(`${question}${usual === undefined ? '' : ` [${usual}]`}: `)
    if (answer === '') return usual
    const problem = CHECKS[key](answer, options)
    if (problem === undefined) return answer
    terminal.say(problem)
  }
}

async function askPassword(terminal: Terminal, options: SetupOptions): Promise<string | undefined> {
  for (;;) {
    const answer = await terminal.askSecret('Your password (empty: one is made and shown): ')
    if (answer === '') return undefined
    const problem = CHECKS.password(answer, options)
    if (problem !== undefined) terminal.say(problem)
    else if ((await terminal.askSecret('Once more: ')) === answer) return answer
    else terminal.say('the two are not the same')
  }
}

/** A part of the name is enough where it fits one country. */
async function askCountry(terminal: Terminal, options: SetupOptions): Promise<string | undefined> {
  for (;;) {
    const answer = await terminal.ask('Country (a part of its name is enough): ')
    if (answer === '') return undefined
    const exact = findCountry(options, answer)
    const like = exact ? [exact] : countriesLike(options, answer)
    const [only] = like
    if (only && like.length === 1) {
      if (only.name !== answer) terminal.say(only.name)
      return only.name
    }
    if (like.length === 0) terminal.say(CHECKS.country(answer, options) ?? '')
    else {
      const names = like.slice(0, MOST_SHOWN).map(({ name }) => name)
      terminal.say(`${names.join(', ')}${like.length > MOST_SHOWN ? ', …' : ''}`)
    }
  }
}
