import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { html } from '../../server/http/html.ts'

const templates = suite('a template of HTML')

templates('escapes what is put in, for text and for attributes', () => {
  const evil = `"><script>alert('x')</script>&amp;`
  assert.is(
    html`<p title="${evil}">${evil}</p>`.html,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</p>',
  )
})

templates('takes HTML of its own as it is, and lists of it', () => {
  const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  assert.is(html`<ul>${rows}</ul>`.html, '<ul><li>a</li><li>&lt;b&gt;</li></ul>')
})

templates('leaves nothing for what is not there, and shows zero', () => {
  assert.is(html`[${undefined}${null}${false}${''}${0}]`.html, '[0]')
})

templates.run()
