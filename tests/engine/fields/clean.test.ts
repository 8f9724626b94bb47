import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanHtml } from '../../../engine/fields/clean-html.ts'
import { cleanMarkdown } from '../../../engine/fields/clean-markdown.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { aField } from './a-field.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

/** What was sent → what is kept. */
const HTML: readonly (readonly [string, string])[] = [
  ['<p>Hello <b>you</b></p>', '<p>Hello <b>you</b></p>'],
  ['<script>alert(1)</script>', ''],
  ['a<ScRiPt src=//x>alert(1)</sCrIpT >b', 'ab'],
  ['<img src=x onerror=alert(1)>', '<img src="x" />'],
  ['<p onclick="x()" style="color:red" class="y">z</p>', '<p>z</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href=" jAva\tscript&colon;alert(1)">a</a>', '<a>a</a>'],
  ['<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="vbscript:x">a</a><a href="data:text/html,x">b</a>', '<a>a</a><a>b</a>'],
  ['<a href="https://x.example/?a=1&b=2">a</a>', '<a href="https://x.example/?a=1&amp;b=2">a</a>'],
  ['<a href="/files/a.pdf" target="_blank">a</a>', '<a href="/files/a.pdf">a</a>'],
  ['<img src="//evil.example/x.png" alt="x">', '<img alt="x" />'],
  ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" />'],
  ['<svg onload=alert(1)><circle/></svg>', ''],
  ['<svg><style><img src=x onerror=alert(1)></style></svg>', ''],
  ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<table></table>'],
  ['<iframe src="https://x.example"></iframe><object data=x></object><embed src=x>', ''],
  ['<form action="https://x.example"><input name=p><button>Pay</button></form>', 'Pay'],
  ['<style>body{display:none}</style><link rel=stylesheet href=x><base href=//x>', ''],
  ['<meta http-equiv=refresh content="0;url=//x">', ''],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', ''],
  ['<!-- <img src=x onerror=alert(1)> -->a', 'a'],
  ['<!--><img src=x onerror=alert(1)>-->', '<img src="x" />--&gt;'],
  ['<<script>script>alert(1)<</script>/script>', '&lt;/script&gt;'],
  ['<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
  [
    '<b title="&quot;><script>alert(1)</script>">x</b>',
    '<b title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</b>',
  ],
  ['<xmp><p title="</xmp><img src=x onerror=alert(1)>">', '<img src="x" />"&gt;'],
  ['<p id="x" name="cookie">y', '<p>y</p>'],
]

const MARKDOWN: readonly (readonly [string, string])[] = [
  ['# A\n\n> b & c\n\n1 < 2 > 0 `<script>`', '# A\n\n> b & c\n\n1 < 2 > 0 `<script>`'],
  ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
  ['a <b onclick=x()>b</b> <img src=x onerror=y()>', 'a <b>b</b> <img src="x" />'],
  ['<https://x.example/?a=1&b=2> <ann@x.example>', '<https://x.example/?a=1&b=2> <ann@x.example>'],
  ['<javascript:alert(1)>', '&lt;javascript:alert(1)>'],
  ['[a](https://x.example) [b](/c) [d](#e:f)', '[a](https://x.example) [b](/c) [d](#e:f)'],
  ['[a](javascript:alert(1))', '[a]\\(javascript:alert(1))'],
  ['[a](java&#115;cript:alert(1))', '[a]\\(java&#115;cript:alert(1))'],
  ['[a](javascript\\:alert(1))', '[a]\\(javascript\\:alert(1))'],
  ['[a](<java\tscript:alert(1)>)', '[a]\\(&lt;java\tscript:alert(1)>)'],
  [`[a](${' '.repeat(300)}javascript:alert(1))`, `[a]\\(${' '.repeat(300)}javascript:alert(1))`],
  ['![a](data:text/html,x)', '![a]\\(data:text/html,x)'],
  ['[a]\n\n> [a]:\n> javascript:alert(1)', '[a]\n\n> [a]\\:\n> javascript:alert(1)'],
  ['```html\n<script>\n```\n<script>', '```html\n<script>\n```\n&lt;script>'],
  // What looks like code and is none, or ends before it seems to.
  ['<div>\n```\n<script>\n```', '<div>\n```\n&lt;script>\n```'],
  ['- a\n  ```\n<script>', '- a\n  ```\n&lt;script>'],
  ['> ```\n<script>', '> ```\n&lt;script>'],
  ['  ```\na\n```\n<script>', '  ```\na\n```\n&lt;script>'],
  ['a ` b\n` <script> `', 'a ` b\n` &lt;script> `'],
  ['| `a | <script>` |\n|--|--|', '| `a | &lt;script>` |\n|--|--|'],
  ['\\`<script>`', '\\`&lt;script>`'],
  ['<div>`\n<script>`', '<div>`\n&lt;script>`'],
  ['<b>\n\u00a0\n`<script>`', '<b>\n\u00a0\n`&lt;script>`'],
  ['<pre>\n\n```\n<script>\n```\n', '&lt;pre>\n\n```\n<script>\n```\n'],
  ['<</br>script>', '<&lt;/br>script>'],
  ['<<x>script>', '<&lt;x>script>'],
  ['<b\nonclick=x>', '&lt;b\nonclick=x>'],
  ['<!-- x\n\n-->\n<?x <![CDATA[ <script>', '&lt;!-- x\n\n-->\n&lt;?x &lt;![CDATA[ &lt;script>'],
]

const clean = suite('what people write')

clean('is kept without anything that could run, and with all that is harmless', () => {
  for (const [sent, kept] of HTML) assert.is(cleanHtml(sent), kept, sent)
  for (const [sent, kept] of MARKDOWN) assert.is(cleanMarkdown(sent), kept, sent)
})

clean('stays byte for byte where it is plain text', () => {
  const plain = [
    'Fish & Chips',
    '1 < 2 && 3 > 2',
    '<3 you',
    'a\r\nb\t"c" \u00a0 &lt;b&gt; é 😀',
    '<',
  ]
  for (const text of plain) {
    assert.is(fieldType('html').read(text, aField('html')), text)
    assert.is(fieldType('markdown').read(text, aField('markdown')), text)
  }
})

clean('is unset where nothing is left, and never longer than its field', () => {
  assert.is(fieldType('html').read('<script>x</script>', aField('html')), null)
  const field = aField('html', { length: 10 })
  assert.throws(() => fieldType('html').read('<b>&&&&</b', field), /at most 10 characters/)
})

clean('is the same when it is cleaned again, in time that grows with its length alone', () => {
  const signs = [
    '<',
    '>',
    '/',
    'b',
    'script',
    'a href=',
    '"',
    "'",
    '=',
    '`',
    '```',
    '\n',
    '\n\n',
    ' ',
  ]
  const more = [
    '](',
    ']:',
    'javascript:',
    '&',
    '&lt;',
    '!--',
    '-->',
    '<b>',
    '</b>',
    'on=x',
    '\\',
    '|',
    '~~~',
  ]
  for (const seed of SEEDS) {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(300); round += 1) {
      const text = Array.from({ length: 1 + random.below(12) }, () =>
        random.one([...signs, ...more]),
      ).join('')
      assert.is(cleanHtml(cleanHtml(text)), cleanHtml(text), text)
      assert.is(cleanMarkdown(cleanMarkdown(text)), cleanMarkdown(text), text)
      assert.not.match(cleanHtml(text), /<script|<!--|<[a-z][^<>]*( on=|="javascript:)/i, text)
    }
  }
  for (const sign of [...signs, ...more, '<b ', '<b x="', '[a](', '`a', '``a`', '<b>`', ']( ']) {
    const text = `<b>${sign.repeat(100_000 / sign.length)}`
    // The work of this thread, whatever else the machine does: what grows with the square takes minutes.
    const before = process.threadCpuUsage()
    cleanHtml(text)
    cleanMarkdown(text)
    const { user } = process.threadCpuUsage(before)
    assert.ok(user < 10_000_000, `${sign} takes ${user / 1000} ms of work`)
  }
})

clean.run()
