import type { ContentStore } from '../server/files/content-store.ts'
import { type Files, type FilesOptions, openFiles } from '../server/files/files.ts'
import type { Settings } from '../server/settings/settings.ts'
import { UsageError } from './failure.ts'

/** The place of uploaded files that the settings name. Throws UsageError for a store without its keys. */
export function filesAt(settings: Settings): Files {
  const store = storeOf(settings)
  return openFiles({ data: settings.data, ...(store ? { store } : {}) })
}

/** The store of contents that the settings name; undefined where they are in the data folder. Throws UsageError. */
export function storeAt(settings: Settings): ContentStore | undefined {
  return settings.filesUrl ? filesAt(settings).contents : undefined
}

function storeOf(settings: Settings): FilesOptions['store'] {
  const { filesUrl, s3Endpoint, s3Region: region, s3AccessKey, s3SecretKey } = settings
  if (!filesUrl) return undefined
  if (s3AccessKey === undefined || s3SecretKey === undefined)
    throw new UsageError(
      'SVC_FILES_URL names a store: expected SVC_S3_ACCESS_KEY and SVC_S3_SECRET_KEY beside it',
    )
  return {
    ...filesUrl,
    region,
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    accessKey: s3AccessKey,
    secretKey: s3SecretKey,
  }
}
