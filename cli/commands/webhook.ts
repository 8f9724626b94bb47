import type { Command } from 'commander'
import { type ListenFlags, listen } from './webhook/listen.ts'

/** `svc webhook …`: what developers of receivers need. */
export function register(program: Command): void {
  const webhook = program.command('webhook').description('try and develop receivers of webhooks')

  webhook
    .command('listen')
    .description('receive deliveries on this machine, verify their signatures and print them')
    .option('--port <port>', 'port of 127.0.0.1 to listen on, 0 picks a free one', '9000')
    .option(
      '--secret <secret>',
      'signing secret of the subscription; without it one is made and shown with how to register it',
    )
    .option(
      '--json',
      'print a line {event, delivery_id, verified, problem, duplicate, timestamp, data} for each',
    )
    .action((flags: ListenFlags) => listen(flags))
}
