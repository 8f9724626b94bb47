import { createSender } from '../../webhooks/sending/send.ts'

/**
 * A process of its own that sends one request and prints how it ended, because Node reads the certificates it
 * trusts beyond the usual ones (NODE_EXTRA_CA_CERTS) only when it starts. Every host name is 127.0.0.1 here.
 */
const [url = ''] = process.argv.slice(2)

const sender = createSender({
  policy: { loopback: true, private: false, ownPorts: [] },
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
})
console.log(JSON.stringify(await sender.send({ url, headers: {}, body: '{}' })))
// Whatever the sender left open would keep this process alive.
await sender.close()
