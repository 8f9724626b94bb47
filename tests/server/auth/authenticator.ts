import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A device with one passkey, in software: what a browser and a security key do together (WebAuthn level 2). */
export interface Authenticator {
  /** Answer to options of creation, as `PublicKeyCredential.toJSON()` has it. */
  create(options: { readonly challenge: string }): object
  /** Answer to options of a request; `change` makes it another than the right one. */
  get(options: { readonly challenge: string }, change?: Partial<Change>): object
}

interface Change {
  readonly origin: string
  readonly counter: number
  readonly flags: number
}

const USER_PRESENT = 0x01
const HAS_CREDENTIAL = 0x40

/** A new device with a key of P-256, for one origin. */
export function openAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const rpIdHash = sha256(new URL(origin).hostname)
  let count = 0

  // CBOR by hand: a map of kty EC2, alg ES256, crv P-256, x, y (RFC 9053).
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const data = (flags: number, counter: number, more = Buffer.alloc(0)): Buffer => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([rpIdHash, Buffer.of(flags), counted, more])
  }
  const client = (type: string, challenge: string, from = origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const answer = (response: object): object => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    create({ challenge }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey])
      const authData = data(USER_PRESENT | HAS_CREDENTIAL, count, credential)
      // {fmt: "none", attStmt: {}, authData: bytes}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615890', 'hex').subarray(
          0,
          -1,
        ),
        Buffer.of(authData.length),
        authData,
      ])
      return answer({
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get({ challenge }, { origin: from, counter, flags = USER_PRESENT } = {}) {
      count += 1
      const authenticatorData = data(flags, counter ?? count)
      const clientDataJSON = client('webauthn.get', challenge, from)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return answer({
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
