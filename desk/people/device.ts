/** Names of browsers in what they say of themselves; an earlier one is meant where several are in it. */
const BROWSERS = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** What people call the browser of this `User-Agent`, `Firefox · Windows`, and its icon; no name where it said none. */
export function deviceOf(agent: string | null): {
  readonly name: string | undefined
  readonly icon: string
} {
  if (agent === null || agent === '') return { name: undefined, icon: 'laptop' }
  const found = (all: readonly (readonly [RegExp, string])[]): string | undefined =>
    all.find(([pattern]) => pattern.test(agent))?.[1]
  const [browser, system] = [found(BROWSERS), found(SYSTEMS)]
  const name = [browser, system].filter((one) => one !== undefined).join(' · ')
  const isHand = system === 'iOS' || system === 'Android'
  return { name: name === '' ? agent.slice(0, 60) : name, icon: isHand ? 'smartphone' : 'laptop' }
}
