import { inflateSync } from 'node:zlib'

/** A text in a PDF, where it begins: points from the left and from the top of its page. */
export interface PdfText {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly text: string
}

/**
 * The texts of a PDF as pdfkit writes them, in the order in which they are drawn: what a font's own table says each sign
 * means. Enough for our papers, and no reader of any PDF.
 */
export function pdfTexts(pdf: Buffer): readonly PdfText[] {
  const objects = objectsOf(pdf)
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
  return pages.flatMap(({ head }, at) => {
    const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))
    const height = Number(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(head)?.[1])
    return textsIn(content?.stream ?? '', fontsOf(objects, head), height).map((one) => ({
      page: at + 1,
      ...one,
    }))
  })
}

/** The same line by line: `48,61 Nordwind GmbH`, words that follow one another in one. */
export function pdfLines(pdf: Buffer, page = 1): readonly string[] {
  const lines: { x: number; y: number; text: string }[] = []
  for (const { x, y, text } of pdfTexts(pdf).filter((one) => one.page === page)) {
    const last = lines.at(-1)
    if (last?.y === y && last.text.endsWith(' ')) last.text += text
    else lines.push({ x, y, text })
  }
  return lines.map(({ x, y, text }) => `${x},${y} ${text.trim()}`)
}

interface PdfObject {
  readonly head: string
  readonly stream: string
}

function objectsOf(pdf: Buffer): ReadonlyMap<number, PdfObject> {
  const text = pdf.toString('latin1')
  const found = new Map<number, PdfObject>()
  for (const { 1: number, index, 0: start } of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const from = index + start.length
    const end = text.indexOf('endobj', from)
    const at = text.indexOf('stream\n', from)
    const hasStream = at >= 0 && at < end
    const head = text.slice(from, hasStream ? at : end)
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const bytes = hasStream ? pdf.subarray(at + 7, at + 7 + length) : Buffer.alloc(0)
    const plain = /FlateDecode/.test(head) && hasStream ? inflateSync(bytes) : bytes
    found.set(Number(number), { head, stream: plain.toString('latin1') })
  }
  return found
}

type Signs = ReadonlyMap<string, string>

/** What the signs of each font of a page mean. */
function fontsOf(
  objects: ReadonlyMap<number, PdfObject>,
  page: string,
): ReadonlyMap<string, Signs> {
  const own = objects.get(Number(/\/Resources (\d+) 0 R/.exec(page)?.[1]))?.head ?? page
  const names = [...own.matchAll(/\/(F\d+) (\d+) 0 R/g)]
  return new Map(
    names.map(([, name = '', number]): [string, Signs] => {
      const font = objects.get(Number(number))?.head ?? ''
      const table = objects.get(Number(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]))?.stream ?? ''
      return [name, signsOf(table)]
    }),
  )
}

function signsOf(table: string): Signs {
  const signs = new Map<string, string>()
  for (const [, first = '', , list = ''] of table.matchAll(
    /<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/g,
  ))
    for (const [at, [, code = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const hex = (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0')
      signs.set(hex, Buffer.from(code.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    }
  return signs
}

function textsIn(
  content: string,
  fonts: ReadonlyMap<string, Signs>,
  height: number,
): readonly Omit<PdfText, 'page'>[] {
  const texts: Omit<PdfText, 'page'>[] = []
  let signs: Signs = new Map()
  let [x, y] = [0, 0]
  for (const line of content.split('\n')) {
    const place = /^1 0 0 1 ([-\d.]+) ([-\d.]+) Tm/.exec(line)
    const font = /^\/(F\d+) [\d.]+ Tf/.exec(line)
    if (place) [x, y] = [Number(place[1]), height - Number(place[2])]
    if (font) signs = fonts.get(font[1] ?? '') ?? signs
    if (!line.endsWith('TJ')) continue
    const codes = [...line.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) =>
      [...hex.matchAll(/.{4}/g)].map(([code]) => signs.get(code) ?? '?'),
    )
    texts.push({ x: Math.round(x), y: Math.round(y), text: codes.join('') })
  }
  return texts
}
