import { Failure } from './failure.ts'

/** Failure with advice when an address cannot be listened on; any other error as it is. */
export function addressFailure(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  const advice = ADVICE[String((error as NodeJS.ErrnoException).code)]
  return advice === undefined ? error : new Failure(advice(host, port), { cause: error })
}

const ADVICE: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is taken: --port chooses another one, --port 0 a free one`,
  EACCES: (host, port) =>
    `port ${port} of ${host} is for the administrator of the machine: --port chooses another one, from 1024 on`,
  EADDRNOTAVAIL: (host) =>
    `${host} is no address of this machine: --host 127.0.0.1 is this machine alone, --host 0.0.0.0 all its addresses`,
  ENOTFOUND: (host) => `there is no host ${host}: --host expects an address of this machine`,
}
