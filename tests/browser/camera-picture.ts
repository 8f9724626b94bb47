/** Widths of the bars of a digit on the left half of an EAN-13, space first; on the right half bars come first. */
const WIDTHS = '3211 2221 2122 1411 1132 1231 1114 1312 1213 3112'.split(' ')
/** Which digits of the left half are drawn from behind: the first digit is told by that alone. */
const TURNED = '000000 001011 001101 001110 010011 011001 011100 010101 010110 011010'.split(' ')

/** Size of the picture; a bar of one is so many pixels wide. */
const [WIDTH, HEIGHT, BAR] = [640, 480, 4]
const [PAPER, INK, GREY] = [235, 16, 128]

/** What a camera sees that an EAN-13 is held before, as a film of one picture (Y4M). Throws where the last digit is not that of the others. */
export function cameraPicture(code: string): Buffer {
  const digits = [...code].map(Number)
  const sum = digits.reduce((all, digit, at) => all + digit * (at % 2 === 0 ? 1 : 3), 0)
  if (digits.length !== 13 || sum % 10 !== 0) throw new Error(`expected an EAN-13, got ${code}`)
  const line = Buffer.alloc(WIDTH, PAPER)
  const bars = barsOf(digits)
  let x = (WIDTH - 95 * BAR) / 2
  for (const [at, width] of bars.entries()) {
    if (at % 2 === 0) line.fill(INK, x, x + width * BAR)
    x += width * BAR
  }
  const light = Buffer.concat(
    Array.from({ length: HEIGHT }, (_, y) =>
      y > 100 && y < 380 ? line : Buffer.alloc(WIDTH, PAPER),
    ),
  )
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`)
  return Buffer.concat([head, light, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)])
}

/** Widths of bars and spaces, by turns, from the first bar on. */
function barsOf([first = 0, ...rest]: readonly number[]): readonly number[] {
  const turned = TURNED[first]!
  const left = rest.slice(0, 6).map((digit, at) => {
    const widths = WIDTHS[digit]!
    return turned[at] === '1' ? [...widths].reverse().join('') : widths
  })
  const right = rest.slice(6).map((digit) => WIDTHS[digit]!)
  return [...`111${left.join('')}11111${right.join('')}111`].map(Number)
}
