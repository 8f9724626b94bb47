import type { Command } from 'commander'
import { collect } from '../workspace.ts'
import { type ListenFlags, listen } from './webhook/listen.ts'
import { type TriggerFlags, trigger } from './webhook/trigger.ts'

/** `svc webhook …`: what developers of receivers need. */
export function register(program: Command): void {
  const webhook = program.command('webhook').description('try and develop receivers of webhooks')

  const listening = webhook
    .command('listen')
    .description('receive deliveries on this machine, verify their signatures and print them')
    .option(
      '--register',
      'subscribe to the workspace that is being served, for as long as this listens',
    )
    .option(
      '--events <events>',
      'events to be subscribed to, separated by commas; may be repeated (default all)',
      collect,
    )
    .option('--forward-to <url>', 'pass each verified delivery on to this address, as it came')
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
  addApiOptions(listening)

  const triggering = webhook
    .command('trigger <event>')
    .description('have a test delivery of an event sent to who is subscribed to it')
    .option('--id <webhook>', 'to this subscription alone, whatever it hears')
    .option('--json', 'print {event, deliveries} as JSON')
    .action((event: string, flags: TriggerFlags) => trigger(event, flags))
  addApiOptions(triggering)
}

function addApiOptions(command: Command): void {
  command
    .option(
      '--key <key>',
      'API key of scope write (SVC_API_KEY; default that of DATA/first-run.json)',
    )
    .option('--data <folder>', 'where first-run.json is (SVC_DATA; default ./data)')
}
