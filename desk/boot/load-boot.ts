import type { Client } from '../data/client.ts'
import type { Boot } from '../data/types.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** What the Desk knows before it draws anything; labels stand as they do in a sentence. */
export async function loadBoot(client: Client): Promise<Boot> {
  const { body } = await client.ask<Boot>('/v1/boot')
  return {
    ...body,
    resources: body.resources.map((entry) => ({
      ...entry,
      label: sentenceCase(entry.label),
      label_plural: sentenceCase(entry.label_plural),
    })),
  }
}
