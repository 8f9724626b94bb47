import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('the colours of charts')

type Triple = readonly [number, number, number]

/** How people see who lack one kind of cone, over linear RGB (Machado, Oliveira, Fernandes 2009). */
const SIGHTS: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const linear = (hex: string): Triple => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return [r!, g!, b!]
}

const light = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

function contrast(one: string, other: string): number {
  const [a, b] = [light(linear(one)), light(linear(other))].sort((x, y) => y - x)
  return (a! + 0.05) / (b! + 0.05)
}

/** Lightness and colour as CIELAB has them, seen with these cones. */
function seen(hex: string, sight: readonly [Triple, Triple, Triple]): Triple {
  const c = linear(hex)
  const [r, g, b] = sight.map((row) =>
    Math.min(1, Math.max(0, row[0] * c[0] + row[1] * c[1] + row[2] * c[2])),
  ) as [number, number, number]
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const CSS = readFileSync(new URL('../../desk/style/chart.css', import.meta.url), 'utf8')
const THEMES = [
  { name: 'light', page: '#ffffff' },
  { name: 'dark', page: '#1d1d22' },
] as const

THEMES.forEach(({ name, page }, at) => {
  const colors = [...CSS.matchAll(/--chart-\d: (#[0-9a-f]{6})/g)]
    .map(([, color]) => color!)
    .slice(at * 6, at * 6 + 6)

  test(`stand out from the page: ${name}`, () => {
    assert.is(colors.length, 6)
    for (const color of colors) assert.ok(contrast(color, page) >= 3, `${color} on ${page}`)
  })

  for (const [sight, matrix] of Object.entries(SIGHTS))
    test(`are told apart: ${name}, ${sight} cones`, () => {
      for (const [index, one] of colors.entries())
        for (const other of colors.slice(0, index)) {
          const [a, b] = [seen(one, matrix), seen(other, matrix)]
          const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
          assert.ok(apart > 20, `${one} and ${other}: ${apart.toFixed(1)}`)
        }
    })
})

test.run()
