// Asks the device for a passkey, for a form that says by which options, and sends the form with what it answered.
// Without this script, or without passkeys, the form stays hidden and codes do the same.
const encode = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )

const withIds = (list = []) => list.map((one) => ({ ...one, id: decode(one.id) }))

async function ask(kind, options) {
  const publicKey = { ...options, challenge: decode(options.challenge) }
  if (kind === 'create') {
    publicKey.user = { ...options.user, id: decode(options.user.id) }
    publicKey.excludeCredentials = withIds(options.excludeCredentials)
    return navigator.credentials.create({ publicKey })
  }
  publicKey.allowCredentials = withIds(options.allowCredentials)
  return navigator.credentials.get({ publicKey })
}

function answerOf({ id, rawId, type, response, authenticatorAttachment }) {
  const sent = { clientDataJSON: encode(response.clientDataJSON) }
  if (response.attestationObject) {
    sent.attestationObject = encode(response.attestationObject)
    sent.transports = response.getTransports?.() ?? []
  } else {
    sent.authenticatorData = encode(response.authenticatorData)
    sent.signature = encode(response.signature)
    if (response.userHandle) sent.userHandle = encode(response.userHandle)
  }
  const extra = {
    clientExtensionResults: {},
    authenticatorAttachment: authenticatorAttachment ?? undefined,
  }
  return JSON.stringify({ id, rawId: encode(rawId), type, response: sent, ...extra })
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue
  const problem = form.querySelector('[role=alert]')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    const field = form.elements.namedItem('passkey')
    if (field.value !== '') return
    event.preventDefault()
    problem.hidden = true
    try {
      field.value = answerOf(await ask(form.dataset.passkey, JSON.parse(form.dataset.options)))
      form.submit()
    } catch {
      problem.hidden = false
    }
  })
}
