import { crc32 } from 'node:zlib'
import { picture } from '../server/files/pictures.ts'

/** What hostile files try: to be seen in their window and those around it, to ask for an address with the cookies, to keep something, to open a dialog. */
export const ALARM =
  "globalThis.canary=1;try{top.canary=1}catch{};try{localStorage.canary=1;document.cookie='canary=1'}catch{};" +
  "try{fetch('/canary?'+document.cookie)}catch{fetch('/canary')};alert('canary')"

/** A file as it is sent, and what is to come of it. */
export interface HostileFile {
  /** Name in the form; one with signs that no form can carry goes in JSON. */
  readonly name: string
  readonly isInJson?: boolean
  /** Name that it is kept by, the one sent unless said otherwise. */
  readonly kept?: string
  /** Type that the form says. */
  readonly type: string
  readonly content: string | Buffer
  /** Type of a file that is shown in its place; all others are downloaded. */
  readonly shown?: 'image/png' | 'image/gif' | 'application/pdf'
}

const SCRIPT = `<script>${ALARM}</script>`
const HTML = `<!doctype html><title>canary</title><body onload="${ALARM}">${SCRIPT}<img src="x" onerror="${ALARM}">`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${ALARM}">${SCRIPT}<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${ALARM}"><iframe src="javascript:top.canary=1"></iframe></body></foreignObject></svg>`
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>${SCRIPT}</head></html>`
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE x [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><x><xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html></xsl:template></xsl:stylesheet></x>`
const MHTML = [
  'From: <Saved by Blink>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; type="text/html"; boundary="b"',
  ...['', '--b', 'Content-Type: text/html', 'Content-Location: http://127.0.0.1/', '', HTML],
  '--b--',
].join('\r\n')
/** A GIF whose first bytes begin a program too. */
const GIF = Buffer.concat([
  Buffer.from('GIF89a/*', 'latin1'),
  Buffer.alloc(6),
  Buffer.from(`*/=1;${ALARM}`, 'latin1'),
])

/** Name of a record that is a page too. */
export const HOSTILE_NAME = '<img src=x onerror=top.canary=1>'

export const HOSTILE: readonly HostileFile[] = [
  { name: 'page.html', type: 'text/html', content: HTML },
  { name: 'page.png', type: 'image/png', content: HTML },
  { name: 'drawing.svg', type: 'image/svg+xml', content: SVG },
  { name: 'drawing.jpg', type: 'image/svg+xml', content: `<?xml version="1.0"?>${SVG}` },
  { name: 'page.xhtml', type: 'application/xhtml+xml', content: XHTML },
  { name: 'data.xml', type: 'text/xml', content: XSLT },
  { name: 'mail.mhtml', type: 'multipart/related', content: MHTML },
  { name: 'mail.eml', type: 'message/rfc822', content: MHTML },
  { name: 'program.js', type: 'text/javascript', content: ALARM },
  { name: 'program.mjs', type: 'image/png', content: `export default 1;${ALARM}` },
  { name: 'style.css', type: 'text/css', content: '*{background:url(/canary)!important}' },
  {
    name: 'wide.html',
    type: 'text/html; charset=utf-16',
    content: Buffer.from(`\ufeff${HTML}`, 'utf16le'),
  },
  {
    name: 'seven.html',
    type: 'text/html; charset=utf-7',
    content: `+ADw-script+AD4-${ALARM}+ADw-/script+AD4-`,
  },
  { name: 'nothing.html', type: 'text/html', content: '' },
  { name: 'lie.html', type: 'text/html', content: pngWith(HTML), shown: 'image/png' },
  { name: 'both.js', type: 'text/javascript', content: GIF, shown: 'image/gif' },
  { name: 'paper.html', type: 'text/html', content: pdf(), shown: 'application/pdf' },
  { name: '"><img src=x onerror=alert(1)>.png', type: 'image/png', content: `${HTML}<!--1-->` },
  { name: '../../../../etc/page.html', kept: 'page.html', type: 'text/html', content: HTML },
  { name: '..\\..\\page.html', kept: 'page.html', type: 'text/html', content: HTML },
  {
    name: 'a\r\nSet-Cookie: canary=1\r\n\r\n<script>.html',
    isInJson: true,
    kept: 'aSet-Cookie: canary=1<script>.html',
    type: 'text/html',
    content: HTML,
  },
  {
    name: 'page.html\u0001\u009b.png',
    isInJson: true,
    kept: 'page.html.png',
    type: '',
    content: HTML,
  },
  { name: 'bill\u202egnp.html', kept: 'billgnp.html', type: 'text/html', content: HTML },
  { name: 'page.html;.png', type: 'image/png', content: HTML },
  {
    name: `${'x'.repeat(5000)}.html`,
    kept: `${'x'.repeat(135)}.html`,
    type: 'text/html',
    content: HTML,
  },
]

/** A picture with a page behind its dots and in a comment of it. */
function pngWith(text: string): Buffer {
  const whole = picture(undefined, 8, 8)
  const body = Buffer.from(`tEXtComment\0${text}`, 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([
    whole.subarray(0, 33),
    size,
    body,
    sum,
    whole.subarray(33),
    Buffer.from(text),
  ])
}

/** A paper that runs a program when it is opened, and leads to another. */
function pdf(): Buffer {
  return Buffer.from(
    [
      '%PDF-1.7',
      '1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/AA<</WC 4 0 R>>>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O 5 0 R>>>>endobj',
      "4 0 obj<</S/JavaScript/JS(app.alert('paper');this.submitForm('/canary');app.launchURL('/canary'))>>endobj",
      `5 0 obj<</S/URI/URI(javascript:top.canary=1)>>endobj`,
      'trailer<</Root 1 0 R/Size 6>>',
      '%%EOF',
    ].join('\n'),
  )
}
